package dev.spur.service.web.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sets the security headers for browsers. Pages may run scripts of this service and call this service, and nothing
 * else. Responses of the REST API may run nothing.
 */
final class PageHeaders extends OncePerRequestFilter {
    private static final String PAGES =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final String ANSWERS =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String path = request.getRequestURI();
        boolean answer = path.startsWith("/api/") || path.startsWith("/compat/") || path.startsWith("/keyed/");
        response.setHeader("Content-Security-Policy", answer ? ANSWERS : PAGES);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "no-referrer");
        if (answer) {
            // a browser must not show cached data of one caller to another
            response.addHeader("Vary", "Authorization");
        }
        chain.doFilter(new WholeRequest(request), answer ? new WithoutFileName(response) : response);
    }

    /** A request that ignores range headers. Responses are small, and the contract declares no partial response. */
    private static final class WholeRequest extends HttpServletRequestWrapper {
        private static final String PART = "Range";

        WholeRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return PART.equalsIgnoreCase(name) ? null : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return PART.equalsIgnoreCase(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
        }
    }

    /**
     * A response without the file name that the framework adds where the path ends like a file, as ids of nodes and
     * assignments may. Responses are never downloaded as pages or programs: their type is declared and must not be
     * guessed.
     */
    private static final class WithoutFileName extends HttpServletResponseWrapper {
        private static final String INVENTED = "inline;filename=f.txt";

        WithoutFileName(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void addHeader(String name, @Nullable String value) {
            if (!INVENTED.equals(value)) {
                super.addHeader(name, value);
            }
        }

        @Override
        public void setHeader(String name, @Nullable String value) {
            if (!INVENTED.equals(value)) {
                super.setHeader(name, value);
            }
        }
    }
}
