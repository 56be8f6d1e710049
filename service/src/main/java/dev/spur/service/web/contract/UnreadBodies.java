package dev.spur.service.web.contract;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Discards the body of a request that was answered without it, for a short time and without a thread. Otherwise the
 * connection is closed with unread bytes, and the client receives a reset instead of the response.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnreadBodies extends OncePerRequestFilter {
    private static final Duration AT_MOST = Duration.ofSeconds(2);
    private static final String ANSWERED = UnreadBodies.class.getName() + ".answered";

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getAttribute(ANSWERED) != null) {
            return;
        }
        chain.doFilter(request, response);
        // sendError commits without content: the error page is written later
        boolean isUnread = request.getDispatcherType() == DispatcherType.REQUEST
                && BodyReading.isExpected(request)
                && !request.isAsyncStarted()
                && BodyReading.of(request) == null
                && response.isCommitted()
                && response.getContentType() != null;
        if (isUnread && !request.getInputStream().isFinished()) {
            request.setAttribute(ANSWERED, true);
            BodyReading.start(request, response, 0, AT_MOST);
        }
    }
}
