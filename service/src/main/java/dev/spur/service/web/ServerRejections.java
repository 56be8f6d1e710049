package dev.spur.service.web;

import dev.spur.service.web.contract.ApiJson;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.service.web.contract.RequestId;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.Writer;
import java.util.Set;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * Returns problems for requests that the web server rejects before the service receives them, and cuts responses that
 * fail after their first part was sent.
 */
@Configuration(proxyBeanMethods = false)
class ServerRejections {
    /** Attribute of a request whose response is incomplete. */
    static final String CUT = ServerRejections.class.getName() + ".cut";

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsInsteadOfPages() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemValve.class.getName());
            }
        });
    }

    /** Error valve; the web server instantiates it by its class name. */
    public static final class ProblemValve extends ErrorReportValve {
        /** Statuses for an unsupported transfer coding or HTTP version, which are errors of the request. */
        private static final Set<Integer> UNSUPPORTED = Set.of(501, 505);

        /**
         * Closes the connection of an incomplete response without its last chunk, from which the client knows that a
         * part is missing.
         */
        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            super.invoke(request, response);
            if (request.getAttribute(CUT) != null) {
                response.getCoyoteResponse().action(ActionCode.CLOSE_NOW, null);
            }
        }

        @Override
        protected void report(Request request, Response response, Throwable throwable) {
            int status = response.getStatus();
            if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
                return;
            }
            try {
                write(request.getRequest(), request.getRequestURI(), response, status);
            } catch (IOException e) {
                container.getLogger().debug("the client has closed the connection", e);
            }
        }

        private static void write(HttpServletRequest request, String path, Response response, int status)
                throws IOException {
            ProblemException problem = status >= 500 && !UNSUPPORTED.contains(status)
                    ? ProblemException.of(ProblemType.INTERNAL_ERROR, "The service failed unexpectedly.")
                    : ProblemHandler.ofStatus(HttpStatusCode.valueOf(status), null);
            String id = RequestId.of(request);
            response.setStatus(problem.type().status());
            response.setHeader("X-Request-Id", id);
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(ApiJson.mapper().writeValueAsString(problem.toBody(path == null ? "" : path, id)));
                response.finishResponse();
            }
        }
    }
}
