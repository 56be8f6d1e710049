package dev.spur.service.docs;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Serves the contract and the page that renders it. */
@Controller
class DocsController {

    /** Media type of RFC 9512; Spring knows the type only as its own extension. */
    private static final MediaType YAML = MediaType.parseMediaType("application/yaml");

    @GetMapping("/docs")
    String page() {
        return "forward:/docs/index.html";
    }

    @GetMapping("/openapi.yaml")
    ResponseEntity<Resource> contract() {
        return ResponseEntity.ok().contentType(YAML).body(new ClassPathResource("openapi.yaml"));
    }
}
