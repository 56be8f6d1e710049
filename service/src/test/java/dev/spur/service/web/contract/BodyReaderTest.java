package dev.spur.service.web.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyReaderTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"a": Infinity} | is not well-formed JSON: Non-standard token 'Infinity' (line 1, column 15)
            {"a": NaN}      | is not well-formed JSON: Non-standard token 'NaN' (line 1, column 10)
            """)
    void namesNoOptionOfTheParser(String body, String message) {
        ProblemException problem = catchThrowableOfType(
                ProblemException.class, () -> BodyReader.read(body.getBytes(StandardCharsets.UTF_8)));

        assertThat(problem.getBody().getProperties()).containsEntry("errors", List.of(FieldError.at("/a", message)));
    }
}
