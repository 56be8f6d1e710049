package dev.spur.service.web;

import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.service.web.contract.RequestId;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Responses for errors outside of the controllers, in filters and in the web server. */
@RestController
class ErrorPage implements ErrorController {

    @RequestMapping("/error")
    ResponseEntity<ProblemDetail> error(HttpServletRequest request) {
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 404;
        ProblemException problem = status >= 500
                ? ProblemException.of(ProblemType.INTERNAL_ERROR, "The service failed unexpectedly.")
                : ProblemHandler.ofStatus(HttpStatusCode.valueOf(status), null);
        String path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String uri
                ? uri
                : request.getRequestURI();
        return ResponseEntity.status(problem.type().status())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem.toBody(path, RequestId.of(request)));
    }
}
