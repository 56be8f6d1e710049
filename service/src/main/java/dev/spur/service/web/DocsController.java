package dev.spur.service.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Serves the contract and the page that renders it. */
@Controller
class DocsController {

    /** Media type of RFC 9512; Spring knows the type only as its own extension. */
    private static final MediaType YAML = MediaType.parseMediaType("application/yaml");

    /** The present day of the examples in the file. */
    private static final LocalDate EXAMPLE_DAY = LocalDate.of(2026, 11, 21);

    private static final Pattern EXAMPLE_DATE = Pattern.compile("\\b2026-\\d\\d-\\d\\d(?=T\\d\\d:)");

    private final String file;

    DocsController() throws IOException {
        this.file = new ClassPathResource("openapi.yaml").getContentAsString(StandardCharsets.UTF_8);
    }

    @GetMapping("/docs")
    String page() {
        return "forward:/docs/index.html";
    }

    @GetMapping("/openapi.yaml")
    ResponseEntity<byte[]> contract() {
        LocalDate today = LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC);
        return ResponseEntity.ok()
                .contentType(YAML)
                .body(withExamplesOf(file, today).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the contract with the times of its examples moved by whole days to {@code today}. A request that repeats
     * an example then has a deadline or a start in the future.
     */
    static String withExamplesOf(String contract, LocalDate today) {
        long days = ChronoUnit.DAYS.between(EXAMPLE_DAY, today);
        return EXAMPLE_DATE
                .matcher(contract)
                .replaceAll(date -> LocalDate.parse(date.group()).plusDays(days).toString());
    }
}
