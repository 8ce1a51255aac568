#!/usr/bin/env python3
# Prints a room's messages as matrix-nio reads them, oldest first, one JSON object per line.
#
#   CACHE/clients/bin/python matrix-reader.py HOMESERVER USER TOKEN ROOM
import asyncio
import json
import sys

from nio import AsyncClient, MessageDirection, RoomMessagesResponse


async def main(homeserver, user, token, room):
    client = AsyncClient(homeserver, user)
    client.access_token, client.user_id, client.device_id = token, user, "READER"
    try:
        answer = await client.room_messages(room, start="", direction=MessageDirection.front, limit=200)
        if not isinstance(answer, RoomMessagesResponse):
            sys.exit(f"the room cannot be read: {answer}")
        for event in answer.chunk:
            content = event.source.get("content", {})
            print(json.dumps({
                "class": type(event).__name__,
                "id": event.event_id,
                "sender": event.sender,
                "body": getattr(event, "body", None),
                "formatted": getattr(event, "formatted_body", None),
                "url": getattr(event, "url", None),
                "relation": content.get("m.relates_to"),
                "mentions": content.get("m.mentions"),
                "new": content.get("m.new_content"),
            }))
    finally:
        await client.close()


asyncio.run(main(*sys.argv[1:5]))
