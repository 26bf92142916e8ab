import time
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from .errors import NotImportable, OpenQuestions
from .jobs import wait_for_job
from .rest import AuthenticatedClient
from .uploads import upload_file

EXTRACTION_POLL_SECONDS = 0.2
EXTRACTION_START_SECONDS = 60.0

Json = dict[str, Any]
Decide = Callable[[Json, Json], Json | None]


@dataclass(frozen=True)
class ImportResult:
    counts: dict[str, int]
    file_id: str
    job_id: str
    unmapped_columns: list[str]


def import_file(
    client: AuthenticatedClient,
    path: str | PathLike[str],
    *,
    sheet_id: str,
    table: str | None = None,
    import_mode: str | None = None,
    key_fields: list[str] | None = None,
    decide: Decide | None = None,
) -> ImportResult:
    """Uploads and extracts a file, maps its columns as suggested, and adds the records to a sheet.

    `decide` gets a question and the edge of its column, and returns one of `question["alternatives"]`. Raises
    OpenQuestions if it does not, and NotImportable if the file has no table, or several without `table`.
    """
    call = Caller(client)
    workbook_id = call("GET", f"/sheets/{sheet_id}")["workbookId"]
    space_id = call("GET", f"/workbooks/{workbook_id}")["spaceId"]
    file = upload_file(client, Path(path), space_id=space_id)
    source = extract(client, file, table)
    config = {"sourceSheetId": source["id"], "destinationSheetId": sheet_id}
    config |= {"importMode": import_mode} if import_mode else {}
    config |= {"keyFields": key_fields} if key_fields else {}
    body = {"type": "workbook", "operation": "map", "trigger": "manual", "managed": True, "config": config}
    job_id = call("POST", "/jobs", {**body, "source": source["workbookId"], "destination": workbook_id})["id"]
    wait_for_job(client, job_id, until="planning")
    unmapped_columns = settle_questions(call, job_id, decide)
    call("POST", f"/jobs/{job_id}/execute")
    wait_for_job(client, job_id)
    counts = call("GET", f"/jobs/{job_id}")["result"]["counts"]
    return ImportResult(counts, file["id"], job_id, unmapped_columns)


class Caller:
    def __init__(self, client: AuthenticatedClient) -> None:
        self.http = client.get_httpx_client()

    def __call__(self, method: str, path: str, body: Json | None = None) -> Any:
        return self.http.request(method, f"/api/v1{path}", json=body).json()["data"]


def extract(client: AuthenticatedClient, file: Json, table: str | None) -> Json:
    call = Caller(client)
    wait_for_job(client, find_extraction(call, file)["id"])
    workbook_id = call("GET", f"/files/{file['id']}")["workbookId"]
    sheets = call("GET", f"/workbooks/{workbook_id}")["sheets"]
    found = [sheet for sheet in sheets if table in (None, sheet["name"])]
    if len(found) == 1:
        return found[0]
    names = ", ".join(sheet["name"] for sheet in sheets)
    raise NotImportable(f"The option `table` must name one of the tables of {file['name']}: {names}")


def find_extraction(call: Caller, file: Json) -> Json:
    deadline = time.monotonic() + EXTRACTION_START_SECONDS
    while True:
        for job in call("GET", f"/jobs?fileId={file['id']}"):
            if job["operation"] == "extract":
                return job
        state = call("GET", f"/files/{file['id']}")
        if state["status"] == "failed":
            raise NotImportable(f"{file['name']} cannot be read: {state.get('statusReason')}")
        if time.monotonic() > deadline:
            raise NotImportable(f"{file['name']} is not of a type that the platform reads")
        time.sleep(EXTRACTION_POLL_SECONDS)


def settle_questions(call: Caller, job_id: str, decide: Decide | None) -> list[str]:
    plan = call("GET", f"/jobs/{job_id}/plan")["plan"]
    asked = [edge for edge in plan["fieldMapping"] if is_open(edge)]
    for edge in asked:
        metadata = edge["metadata"]
        metadata["reading"] = decide(metadata["question"], edge) if decide else None
    still_open = [edge for edge in asked if not edge["metadata"]["reading"]]
    if still_open:
        raise OpenQuestions(job_id, still_open)
    if asked:
        call("PATCH", f"/jobs/{job_id}/plan", {"fieldMapping": plan["fieldMapping"]})
    return [field["sourceField"]["key"] for field in plan["unmappedSourceFields"]]


def is_open(edge: Json) -> bool:
    metadata = edge.get("metadata") or {}
    return bool(metadata.get("question")) and not metadata.get("reading")
