package dev.spur.service.contract;

import dev.spur.model.json.RoundJson;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.databind.json.JsonMapper;

/** JSON of responses: that of the model, so that a round snapshot has the same form everywhere, and of problems. */
public final class ApiJson {
    private static final JsonMapper MAPPER = RoundJson.mapper()
            .rebuild()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    private ApiJson() {}

    /** The mapper. */
    public static JsonMapper mapper() {
        return MAPPER;
    }
}
