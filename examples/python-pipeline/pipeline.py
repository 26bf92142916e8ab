"""Imports the measurements of weather stations, and loads those that are valid into a SQLite database."""
import os
import sqlite3
import sys
from collections.abc import Iterator

from wharf_sdk import connect, import_file, list_all
from wharf_sdk.rest.api.records import records_list
from wharf_sdk.rest.api.spaces import spaces_create, spaces_list
from wharf_sdk.rest.api.workbooks import workbooks_create, workbooks_list
from wharf_sdk.rest.models import CreateWorkbookInput, Record, RecordsListFilter, SpacesCreateBody

SPACE = "Weather stations"
FIELDS = [
    {"key": "station", "type": "string", "label": "Station", "constraints": [{"type": "required"}]},
    {"key": "day", "type": "date", "label": "Date", "alternativeNames": ["Datum"], "constraints": [{"type": "required"}]},
    {
        "key": "temperature",
        "type": "number",
        "label": "Temperature",
        "alternativeNames": ["Temperatur (°C)"],
        "constraints": [{"type": "required"}],
    },
    {"key": "rain", "type": "number", "label": "Rain", "alternativeNames": ["Niederschlag (mm)"]},
]
COLUMNS = [field["key"] for field in FIELDS]

client = connect(os.environ["URL"], os.environ["KEY"])


def find_or_create_sheet() -> str:
    found = [space for space in list_all(spaces_list.sync, client=client, search=SPACE) if space.name == SPACE]
    if found:
        return workbooks_list.sync(client=client, space_id=found[0].id, name=SPACE).data[0].sheets[0].id
    space = spaces_create.sync(client=client, body=SpacesCreateBody(name=SPACE)).data
    sheet = {"name": "Measurements", "slug": "measurements", "fields": FIELDS}
    body = CreateWorkbookInput.from_dict({"spaceId": space.id, "name": SPACE, "sheets": [sheet]})
    return workbooks_create.sync(client=client, body=body).data.sheets[0].id


def read_records(sheet_id: str, which: RecordsListFilter) -> Iterator[Record]:
    page = 1
    while records := records_list.sync(sheet_id, client=client, filter_=which, page_number=page).data.records:
        yield from records
        page += 1


def print_errors(sheet_id: str) -> None:
    for record in read_records(sheet_id, RecordsListFilter.ERROR):
        values = record.values.to_dict()
        for key in COLUMNS:
            errors = [each for each in values[key].get("messages", []) if each["type"] == "error"]
            for message in errors:
                print(f"{values['station']['value']} {values['day']['value']} {key}: {message['message']}")


def load(sheet_id: str, path: str) -> int:
    records = read_records(sheet_id, RecordsListFilter.VALID)
    rows = [[record.values[key].value for key in COLUMNS] for record in records]
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE IF NOT EXISTS measurements"
            " (station TEXT, day TEXT, temperature REAL, rain REAL, PRIMARY KEY (station, day))"
        )
        database.executemany("INSERT OR REPLACE INTO measurements VALUES (?, ?, ?, ?)", rows)
    return len(rows)


database_path, *files = sys.argv[1:]
sheet_id = find_or_create_sheet()
for file in files:
    result = import_file(client, file, sheet_id=sheet_id, import_mode="upsert", key_fields=["station", "day"])
    counts = result.counts
    print(f"{file}: {counts['created']} created, {counts['updated']} updated")
print_errors(sheet_id)
print(f"{load(sheet_id, database_path)} measurements are in {database_path}")
