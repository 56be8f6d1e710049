package dev.spur.service.web;

import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** Description of each problem type at its URI. */
@RestController
class ProblemTypeController {
    private static final MediaType HTML = new MediaType("text", "html", StandardCharsets.UTF_8);

    /**
     * A problem type as returned to clients.
     *
     * @param type its URI
     * @param title short noun phrase
     * @param status HTTP status
     * @param cause cause of every problem of the type
     * @param remedy action that the caller can take
     */
    record ProblemDescription(String type, String title, int status, String cause, String remedy) {
        static ProblemDescription of(ProblemType type) {
            return new ProblemDescription(type.uri(), type.title(), type.status(), type.cause(), type.remedy());
        }
    }

    @GetMapping(ProblemType.PATH + "{type}")
    ResponseEntity<?> get(
            @PathVariable("type") String token, @RequestHeader(name = "Accept", defaultValue = "") String accept) {
        ProblemType type = Arrays.stream(ProblemType.values())
                .filter(known -> known.token().equals(token))
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("problem type", token));
        return accept.contains("text/html")
                ? ResponseEntity.ok().contentType(HTML).body(page(type).getBytes(StandardCharsets.UTF_8))
                : ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(ProblemDescription.of(type));
    }

    private static String page(ProblemType type) {
        return """
                <!doctype html>
                <html lang="en">
                <meta charset="utf-8">
                <title>%1$s</title>
                <h1>%1$s</h1>
                <p>Type <code>%2$s</code>, status %3$d.</p>
                <h2>Cause</h2>
                <p>%4$s</p>
                <h2>Remedy</h2>
                <p>%5$s</p>
                </html>
                """.formatted(
                        HtmlUtils.htmlEscape(type.title()),
                        type.uri(),
                        type.status(),
                        toHtml(type.cause()),
                        toHtml(type.remedy()));
    }

    /** Returns the text as HTML, with backquoted parts as code. */
    private static String toHtml(String text) {
        return HtmlUtils.htmlEscape(text).replaceAll("`([^`]*)`", "<code>$1</code>");
    }
}
