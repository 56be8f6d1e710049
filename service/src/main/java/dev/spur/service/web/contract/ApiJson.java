package dev.spur.service.web.contract;

import dev.spur.model.json.RoundJson;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * JSON of responses: that of the model, so that a round snapshot has the same form everywhere, and of problems. Times
 * have milliseconds.
 */
public final class ApiJson {
    private static final JsonMapper MAPPER = RoundJson.mapper()
            .rebuild()
            .addModule(new SimpleModule().addSerializer(Instant.class, new MillisecondSerializer()))
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    private ApiJson() {}

    private static final class MillisecondSerializer extends ValueSerializer<Instant> {
        @Override
        public void serialize(Instant value, JsonGenerator json, SerializationContext context) {
            json.writeString(value.truncatedTo(ChronoUnit.MILLIS).toString());
        }
    }

    /** The mapper. */
    public static JsonMapper mapper() {
        return MAPPER;
    }
}
