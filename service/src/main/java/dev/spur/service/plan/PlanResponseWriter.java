package dev.spur.service.plan;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes responses of the feed without message conversion: 1,000 callers receive the same bytes. */
final class PlanResponseWriter {
    private PlanResponseWriter() {}

    /** Writes 200 with the new plan, or 304 if there is none. */
    static void write(HttpServletResponse response, Poll poll, PublishedPlan edition) throws IOException {
        EncodedBody answer = poll.answer(edition);
        response.setHeader("ETag", poll.tag(answer));
        response.setHeader("Plan-Revision", Long.toString(edition.revision()));
        response.setHeader("Cache-Control", "no-cache");
        if (poll.isOfWholePlan()) {
            response.addHeader("Vary", "Accept-Encoding");
        }
        if (!poll.isNews(edition)) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType("application/json");
        byte[] body = poll.zipped() ? answer.zipped() : answer.json();
        if (poll.zipped()) {
            response.setHeader("Content-Encoding", "gzip");
        }
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
        response.flushBuffer();
    }
}
