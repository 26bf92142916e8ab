"""Imports files with the installed package as a program of its user would, and prints what came of it."""
import json
import os
import tempfile
from pathlib import Path

from wharf_sdk import JobFailed, NotImportable, OpenQuestions, connect, import_file, wait_for_job
from wharf_sdk.rest.api.jobs import jobs_cancel, jobs_create
from wharf_sdk.rest.api.records import records_list
from wharf_sdk.rest.api.spaces import spaces_create
from wharf_sdk.rest.api.workbooks import workbooks_create
from wharf_sdk.rest.models import CreateJobInput, CreateWorkbookInput, JobsCancelBody, SpacesCreateBody

client = connect(os.environ["URL"], os.environ["KEY"])
folder = Path(tempfile.mkdtemp())
space = spaces_create.sync(client=client, body=SpacesCreateBody(name="Imported")).data
fields = [{"key": "email", "type": "string"}, {"key": "born", "type": "date"}]
sheets = [{"name": "People", "slug": "people", "fields": fields}]
body = CreateWorkbookInput.from_dict({"spaceId": space.id, "name": "Contacts", "sheets": sheets})
workbook = workbooks_create.sync(client=client, body=body).data
sheet_id = workbook.sheets[0].id


def write(name, text):
    path = folder / name
    path.write_text(text)
    return path


def fail(call, *errors):
    try:
        call()
    except errors as error:
        return error


def choose_first(question, edge):
    return question["alternatives"][0]


people = write("people.csv", "email,born,Shoe size\nada@example.com,01/02/1990,38\n")
still_open = fail(lambda: import_file(client, people, sheet_id=sheet_id), OpenQuestions)
decided = import_file(client, people, sheet_id=sheet_id, decide=choose_first)
record = records_list.sync(sheet_id, client=client).data.records[0]
changed = write("changed.csv", "email,born\nada@example.com,1815-12-10\n")
upserted = import_file(client, changed, sheet_id=sheet_id, import_mode="upsert", key_fields=["email"])
unknown = fail(lambda: import_file(client, write("notes.xyz", "x"), sheet_id=sheet_id), NotImportable)
tables = fail(lambda: import_file(client, people, sheet_id=sheet_id, table="other"), NotImportable)
task = {"type": "workbook", "operation": "submit", "source": workbook.id, "trigger": "immediate"}
job = jobs_create.sync(client=client, body=CreateJobInput.from_dict(task)).data
seen = []
late = fail(lambda: wait_for_job(client, job.id, timeout=0.3, on_progress=lambda each: seen.append(each.status.value)), TimeoutError)
jobs_cancel.sync(job.id, client=client, body=JobsCancelBody.from_dict({"info": "no longer needed"}))
canceled = fail(lambda: wait_for_job(client, job.id), JobFailed)
print(
    json.dumps(
        {
            "open": [edge["destinationField"]["key"] for edge in still_open.edges],
            "decided": [
                {"created": decided.counts["created"], "unmapped": decided.unmapped_columns},
                record.values["born"].value,
            ],
            "upserted": {key: upserted.counts[key] for key in ("created", "updated")},
            "unknown": str(unknown),
            "tables": str(tables),
            "waited": [seen[-1], type(late).__name__],
            "canceled": str(canceled).split(") ")[1],
        }
    )
)
