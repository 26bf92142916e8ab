import time
from collections.abc import Callable

from .errors import JobFailed
from .rest import AuthenticatedClient
from .rest.api.jobs import jobs_get
from .rest.models import Job

FIRST_POLL_SECONDS = 0.1
MAX_POLL_SECONDS = 2.0
POLL_GROWTH = 1.5


def wait_for_job(
    client: AuthenticatedClient,
    job_id: str,
    *,
    until: str = "completed",
    timeout: float | None = None,
    on_progress: Callable[[Job], None] | None = None,
) -> Job:
    """Waits for a status of a job. Raises JobFailed, and TimeoutError after `timeout` seconds."""
    deadline = None if timeout is None else time.monotonic() + timeout
    delay = FIRST_POLL_SECONDS
    seen = None
    while True:
        job = jobs_get.sync(job_id, client=client).data
        status = job.status.value
        current = (status, job.progress, job.info)
        if on_progress and current != seen:
            on_progress(job)
        seen = current
        if status in (until, "completed"):
            return job
        if status in ("failed", "canceled"):
            raise JobFailed(job.to_dict())
        if deadline is not None and time.monotonic() + delay > deadline:
            raise TimeoutError(f"The job {job_id} is still {status} after {timeout} seconds.")
        time.sleep(delay)
        delay = min(MAX_POLL_SECONDS, delay * POLL_GROWTH)
