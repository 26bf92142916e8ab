import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from .errors import to_error
from .platform import TEMPORARY, get_delay
from .rest import AuthenticatedClient

CHUNK_BYTES = 1024 * 1024
MAX_ATTEMPTS = 4
TIMEOUT_SECONDS = 300.0

Json = dict[str, Any]


def upload_file(client: AuthenticatedClient, path: Path, *, space_id: str) -> Json:
    """Uploads a file of up to 1 GB directly to the bucket. An upload that fails is deleted."""
    size = path.stat().st_size
    http = client.get_httpx_client()
    body = {"spaceId": space_id, "name": path.name, "size": size}
    started = http.post("/api/v1/files/uploads", json=body).json()["data"]
    file, upload = started["file"], started["upload"]
    try:
        parts = [{"partNumber": number, "etag": put_part(path, *part)} for number, *part in list_parts(upload, size)]
        complete = {"parts": parts} if upload["type"] == "multipart" else None
        return http.post(f"/api/v1/files/{file['id']}/complete", json=complete).json()["data"]
    except BaseException:
        http.delete(f"/api/v1/files/{file['id']}")
        raise


def list_parts(upload: Json, size: int) -> list[tuple[int, str, int, int]]:
    if upload["type"] == "single":
        return [(1, upload["url"], 0, size)]
    part_size = upload["partSize"]
    return [
        (part["partNumber"], part["url"], (part["partNumber"] - 1) * part_size, min(size, part["partNumber"] * part_size))
        for part in upload["parts"]
    ]


def put_part(path: Path, url: str, start: int, end: int) -> str:
    headers = {"content-length": str(end - start)}
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            response = httpx.put(url, content=read_range(path, start, end), headers=headers, timeout=TIMEOUT_SECONDS)
        except httpx.TransportError:
            if attempt == MAX_ATTEMPTS:
                raise
        else:
            if response.is_success:
                return response.headers.get("etag", "")
            if attempt == MAX_ATTEMPTS or response.status_code not in TEMPORARY:
                raise to_error(response)
        time.sleep(get_delay(attempt))
    raise AssertionError("The last attempt returns or raises.")


def read_range(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while start < end:
            chunk = file.read(min(CHUNK_BYTES, end - start))
            if not chunk:
                raise ValueError(f"{path.name} became shorter while it was uploaded.")
            start += len(chunk)
            yield chunk
