#ifndef ZB_CSQLITE_SHIM_H
#define ZB_CSQLITE_SHIM_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot spell: the bytes are copied by SQLite. */
static inline int zb_sqlite_bind_text(sqlite3_stmt *s, int i, const char *v, sqlite3_uint64 n) {
    return sqlite3_bind_text64(s, i, v, n, SQLITE_TRANSIENT, SQLITE_UTF8);
}
static inline int zb_sqlite_bind_blob(sqlite3_stmt *s, int i, const void *v, sqlite3_uint64 n) {
    return sqlite3_bind_blob64(s, i, v, n, SQLITE_TRANSIENT);
}

#endif
