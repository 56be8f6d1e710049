package dev.spur.model.json;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes rounds as JSON. Names are those of the record components; times are seconds. Every component is
 * written, except groups and preparations where there are none; files from versions without them keep their form.
 */
public final class RoundJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private RoundJson() {}

    /** Returns the mapper for every part of a round. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /**
     * Reads a problem.
     *
     * @throws JacksonException if the text is not a problem; its message names the member and the cause
     */
    public static RoundProblem readProblem(String json) {
        return MAPPER.readValue(json, RoundProblem.class);
    }

    /** Returns the problem as one line of JSON; equal problems have equal text. */
    public static String write(RoundProblem problem) {
        return MAPPER.writeValueAsString(problem);
    }

    /**
     * Reads a plan.
     *
     * @throws JacksonException if the text is not a plan
     */
    public static RoundPlan readPlan(String json) {
        return MAPPER.readValue(json, RoundPlan.class);
    }

    /** Returns the plan as one line of JSON. */
    public static String write(RoundPlan plan) {
        return MAPPER.writeValueAsString(plan);
    }
}
