package dev.spur.service.web.contract;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Assigns each request its id in the log, and returns it to the caller. An id that the caller sends is used if it is
 * safe to log.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class RequestId extends OncePerRequestFilter {
    private static final String HEADER = "X-Request-Id";
    private static final String ATTRIBUTE = RequestId.class.getName();
    private static final Pattern FIT = Pattern.compile("[!-~]{1,128}");

    /** The id of a request that has passed this filter, otherwise a new one. */
    public static String of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof String id) {
            return id;
        }
        String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        request.setAttribute(ATTRIBUTE, id);
        return id;
    }

    /** A request is dispatched again after its body has arrived; that dispatch is logged with the id as well. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String given = request.getHeader(HEADER);
        if (given != null && FIT.matcher(given).matches()) {
            request.setAttribute(ATTRIBUTE, given);
        }
        String id = of(request);
        if (!response.isCommitted()) {
            response.setHeader(HEADER, id);
        }
        MDC.put("request", id);
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove("request");
        }
    }
}
