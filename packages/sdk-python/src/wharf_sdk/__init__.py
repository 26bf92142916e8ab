"""A client of the Wharf API: `wharf_sdk.rest` has a function per endpoint, this module connects them to a platform."""
from .errors import (
    Conflict,
    Forbidden,
    JobFailed,
    NotFound,
    NotImportable,
    OpenQuestions,
    RateLimited,
    ServerError,
    TooLarge,
    Unauthorized,
    Unprocessable,
    ValidationFailed,
    WharfError,
)
from .imports import ImportResult, import_file
from .jobs import wait_for_job
from .pages import list_all
from .platform import connect

__all__ = [
    "Conflict",
    "Forbidden",
    "ImportResult",
    "JobFailed",
    "NotFound",
    "NotImportable",
    "OpenQuestions",
    "RateLimited",
    "ServerError",
    "TooLarge",
    "Unauthorized",
    "Unprocessable",
    "ValidationFailed",
    "WharfError",
    "connect",
    "import_file",
    "list_all",
    "wait_for_job",
]
