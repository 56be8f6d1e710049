package dev.spur.service.operations;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the support bundle. */
@RestController
class SupportController {
    private static final MediaType ZIP = new MediaType("application", "zip");

    private final SupportBundle bundle;

    SupportController(SupportBundle bundle) {
        this.bundle = bundle;
    }

    @GetMapping("/api/v1/support-bundle")
    ResponseEntity<byte[]> get() {
        return ResponseEntity.ok()
                .contentType(ZIP)
                .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"spur-support.zip\"")
                .body(bundle.zip());
    }
}
