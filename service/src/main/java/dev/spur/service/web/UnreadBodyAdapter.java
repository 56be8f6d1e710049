package dev.spur.service.web;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/**
 * Closes the connection of a request that is answered before its body was read. Tomcat waits for the rest of such a
 * body on the request thread, even where {@code maxSwallowSize} is 0. A client that sends nothing would block the
 * thread.
 */
record UnreadBodyAdapter(Adapter tomcat) implements Adapter {

    @Override
    public void service(Request request, Response response) throws Exception {
        try {
            tomcat.service(request, response);
        } finally {
            closeIfUnread(request);
        }
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent status) throws Exception {
        try {
            return tomcat.asyncDispatch(request, response, status);
        } finally {
            closeIfUnread(request);
        }
    }

    private static void closeIfUnread(Request request) {
        AtomicBoolean isAsync = new AtomicBoolean();
        request.action(ActionCode.ASYNC_IS_ASYNC, isAsync);
        if (!isAsync.get() && !request.isFinished()) {
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return tomcat.prepare(request, response);
    }

    @Override
    public void log(Request request, Response response, long time) {
        tomcat.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        tomcat.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return tomcat.getDomain();
    }
}
