from collections.abc import Callable, Iterator
from typing import Any

PAGE_SIZE = 100


def list_all(list_page: Callable[..., Any], *ids: str, page_size: int = PAGE_SIZE, **query: Any) -> Iterator[Any]:
    """Reads all pages of a list, such as `list_all(spaces_list.sync, client=client, archived=False)`."""
    page_number = 1
    while True:
        items = list_page(*ids, page_size=page_size, page_number=page_number, **query).data
        yield from items
        if len(items) < page_size:
            return
        page_number += 1
