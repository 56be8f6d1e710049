package dev.spur.service.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Tells browsers what a page from here may do: run scripts of this service, call this service, and nothing else. Answers of the
 * REST API run nothing at all; the report of a simulation is a page among them, with styles of its own.
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
        boolean answer = request.getRequestURI().startsWith("/api/");
        response.setHeader("Content-Security-Policy", answer ? ANSWERS : PAGES);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "no-referrer");
        if (answer) {
            // a browser must not show to one caller what it keeps of another
            response.addHeader("Vary", "Authorization");
        }
        chain.doFilter(request, response);
    }
}
