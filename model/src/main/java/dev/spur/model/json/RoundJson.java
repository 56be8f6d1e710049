package dev.spur.model.json;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes rounds as JSON. Names are those of the record components; times are seconds. Nothing is left out but
 * groups and preparations where there are none: rounds from before there were any are written as they were.
 */
public final class RoundJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private RoundJson() {}

    /** The mapper with which every part of a round is read and written. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** @throws JacksonException if the text is not a problem; its message names place and cause */
    public static RoundProblem readProblem(String json) {
        return MAPPER.readValue(json, RoundProblem.class);
    }

    /** The problem as one line of JSON; equal problems give equal text. */
    public static String write(RoundProblem problem) {
        return MAPPER.writeValueAsString(problem);
    }

    /** @throws JacksonException if the text is not a plan */
    public static RoundPlan readPlan(String json) {
        return MAPPER.readValue(json, RoundPlan.class);
    }

    /** The plan as one line of JSON. */
    public static String write(RoundPlan plan) {
        return MAPPER.writeValueAsString(plan);
    }
}
