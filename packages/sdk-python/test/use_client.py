"""Uses the installed package as a program of its user would, and prints which classes it parsed the responses to."""
import json
import os

from wharf_sdk import NotFound, ValidationFailed, connect, list_all
from wharf_sdk.rest.api.jobs import jobs_create, jobs_get
from wharf_sdk.rest.api.programs import programs_create
from wharf_sdk.rest.api.records import records_insert, records_list
from wharf_sdk.rest.api.sheets import sheets_get
from wharf_sdk.rest.api.spaces import spaces_create, spaces_get, spaces_list
from wharf_sdk.rest.api.workbooks import workbooks_create, workbooks_get
from wharf_sdk.rest.models import (
    CreateJobInput,
    CreateWorkbookInput,
    RecordsInsertBodyItemType1,
    SpacesCreateBody,
    UpdateProgramInput,
)

client = connect(os.environ["URL"], os.environ["KEY"])


def kinds(values):
    return [type(value).__name__ for value in values]


def fail(call, *args, **parameters):
    try:
        call(*args, client=client, **parameters)
    except (NotFound, ValidationFailed) as error:
        return [type(error).__name__, error.status, [problem["key"] for problem in error.errors]]


space = spaces_create.sync(client=client, body=SpacesCreateBody.from_dict({"name": "Typed"})).data
for name in ("b", "c", "d", "e"):
    spaces_create.sync(client=client, body=SpacesCreateBody.from_dict({"name": name}))
fields = [
    {"key": "email", "type": "string", "constraints": [{"type": "required"}]},
    {"key": "size", "type": "enum", "config": {"options": [{"value": "s"}]}},
]
sheets = [{"name": "People", "slug": "people", "fields": fields}]
body = CreateWorkbookInput.from_dict({"spaceId": space.id, "name": "Contacts", "sheets": sheets})
made = workbooks_create.sync(client=client, body=body).data
workbook = workbooks_get.sync(made.id, client=client).data
sheet = sheets_get.sync(workbook.sheets[0].id, client=client).data
rows = [RecordsInsertBodyItemType1.from_dict({"email": email}) for email in ("ada@example.com", None)]
records_insert.sync(sheet.id, client=client, body=rows)
page = records_list.sync(sheet.id, client=client, page_size=10, include_counts=True).data
task = {"type": "workbook", "operation": "submit", "source": workbook.id, "trigger": "manual"}
job = jobs_get.sync(jobs_create.sync(client=client, body=CreateJobInput.from_dict(task)).data.id, client=client).data
rule = {"name": "E-mail", "type": "assign", "config": {"sourceField": "mail", "destinationField": "email"}}
sides = {
    "source": {"name": "File", "fields": [{"key": "mail", "type": "string"}]},
    "destination": {"name": "People", "fields": [{"key": "email", "type": "string"}]},
}
program = programs_create.sync(client=client, body=UpdateProgramInput.from_dict({**sides, "rules": [rule]})).data
print(
    json.dumps(
        {
            "spaces": [each.name for each in list_all(spaces_list.sync, client=client, page_size=2, archived=False)],
            "workbook": workbook.name,
            "fields": kinds(sheet.config.fields),
            "constraints": kinds(sheet.config.fields[0].constraints),
            "config": type(sheet.config).__name__,
            "records": [record.values["email"].value for record in page.records],
            "counts": [page.counts.total, page.counts.valid, page.counts.error],
            "job": [job.status.value, job.operation],
            "rules": kinds([program.rules[0], program.rules[0].config]),
            "missing": fail(spaces_get.sync, "us_sp_unknown"),
            "invalid": fail(spaces_create.sync, body=SpacesCreateBody.from_dict({"name": "x" * 501})),
        }
    )
)
