#ifndef ZB_CMICROHTTPD_SHIM_H
#define ZB_CMICROHTTPD_SHIM_H
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

#pragma clang assume_nonnull begin

/* Called with the request target as it stood on the wire; what it returns is the request's state. */
typedef void *_Nullable (*zb_mhd_target_callback)(
    void *_Nullable context, const char *target, struct MHD_Connection *connection);

/* A daemon on 127.0.0.1 with a thread of its own. Port 0 takes a free one. The `Date` header is left to the caller. */
static inline struct MHD_Daemon *_Nullable zb_mhd_start(
    uint16_t port, MHD_AccessHandlerCallback handler, zb_mhd_target_callback target,
    MHD_RequestCompletedCallback completed, void *context) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK, port, NULL, NULL,
        handler, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_URI_LOG_CALLBACK, target,
        context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_END);
}

/* The port the daemon listens on, or 0. */
static inline uint16_t zb_mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *_Nullable info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/* What a reader callback answers when the body ends early. */
static inline ssize_t zb_mhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

#pragma clang assume_nonnull end
#endif
