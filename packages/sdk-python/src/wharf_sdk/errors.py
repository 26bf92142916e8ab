from typing import Any

import httpx


class WharfError(Exception):
    """`status` is the HTTP status, and `errors` lists every problem with its `key` and `message`."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.request_id = response.headers.get("apigw-requestid")
        self.errors: list[dict[str, str]] = read_problems(response)
        request = response.request
        summary = " ".join(f"{problem['key']}: {problem['message']}" for problem in self.errors)
        super().__init__(f"{request.method} {request.url.path}: {self.status} {summary}".strip())


class ValidationFailed(WharfError):
    pass


class Unauthorized(WharfError):
    pass


class Forbidden(WharfError):
    pass


class NotFound(WharfError):
    pass


class Conflict(WharfError):
    pass


class TooLarge(WharfError):
    pass


class Unprocessable(WharfError):
    pass


class RateLimited(WharfError):
    pass


class ServerError(WharfError):
    pass


CLASSES: dict[int, type[WharfError]] = {
    400: ValidationFailed,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    422: Unprocessable,
    429: RateLimited,
}


def to_error(response: httpx.Response) -> WharfError:
    status = response.status_code
    return CLASSES.get(status, ServerError if status >= 500 else WharfError)(response)


def read_problems(response: httpx.Response) -> list[dict[str, str]]:
    try:
        return response.json()["errors"]
    except (ValueError, KeyError, TypeError):
        return []


class JobFailed(Exception):
    """A job failed or was canceled; `job` has its status, info and outcome."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        reason = (job.get("outcome") or {}).get("message") or job.get("info") or "no reason is given"
        end = "failed" if job["status"] == "failed" else "was canceled"
        super().__init__(f"The job {job['id']} ({job['type']}:{job['operation']}) {end}: {reason}")


class OpenQuestions(Exception):
    """An import cannot decide how to read some columns. The job `job_id` waits with its plan."""

    def __init__(self, job_id: str, edges: list[dict[str, Any]]) -> None:
        self.job_id = job_id
        self.edges = edges
        columns = ", ".join(f"{edge['sourceField']['key']} ({edge['metadata']['question']['about']})" for edge in edges)
        super().__init__(f"The import {job_id} cannot decide how to read: {columns}")


class NotImportable(Exception):
    """A file has no table to import, or a choice between several."""
