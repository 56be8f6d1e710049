package dev.spur.service.access;

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
 * Tells browsers what a page from here may do: run scripts of this service, call this service, and nothing else.
 * Answers of the REST API run nothing at all; the report of a simulation is a page among them, with styles of its own.
 */
final class PageHeaders extends OncePerRequestFilter {
    private static final String PAGES =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final String ANSWERS =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
            // a browser must not show to one caller what it keeps of another
            response.addHeader("Vary", "Authorization");
        }
        chain.doFilter(new WholeRequest(request), answer ? new WithoutFileName(response) : response);
    }

    /**
     * A request for all of something: nothing here is so large that a part of it is of use, and no answer is declared
     * for one.
     */
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
     * The framework tells browsers to name an answer after a file where the path ends like one, as ids of nodes and
     * assignments may. No answer here is taken for a page or a program: its type is declared, and not to be guessed.
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
