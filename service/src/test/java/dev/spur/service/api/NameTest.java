package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Characters in names of the user's choice. */
class NameTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";

    @BeforeEach
    void registerNodes() {
        cluster(8);
    }

    private static String submission(String text) {
        return Submissions.json(job -> {
            job.put("name", "x" + text).put("owner", "x" + text).put("externalId", "x" + text);
            job.putObject("labels").put("project", text);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000",
                "\n",
                "a\n",
                "\u007f",
                "\u0085",
                "\u00ad",
                "\u061c",
                "\u200b",
                "\u200e",
                "\u200fb",
                "\u2028",
                "a\u2029",
                "\u202a",
                "\u202e",
                "\u202eb",
                "\u2060",
                "\u2066",
                "\u2069",
                "\ufeff",
                "\ufffb",
                "\u2800",
                "a\u2800b",
                "\u3164",
                "\u115f",
                "\uffa0",
                "a\ufe0f",
                "\u034f",
                "\udb40\udc41",
                "\udb40\udd00"
            })
    void areRejectedIfTheyHideReverseOrBreakTheTextAroundThem(String text) {
        List<String> pointers = api.post(JOBS, submission(text))
                .is(ProblemType.INVALID_REQUEST)
                .json()
                .path("errors")
                .valueStream()
                .map(error -> error.path("pointer").asString())
                .toList();

        assertThat(pointers).contains("/name", "/owner", "/externalId", "/labels/project");
        assertThat(count("job")).isZero();
    }

    @Test
    void areRejectedInChangesAndFilters() {
        String id = api.post(JOBS, Submissions.json(job -> {})).is(201).at("/id");

        api.patch(JOBS + "/" + id, "{\"name\": \"a\u202e\"}").is(ProblemType.INVALID_REQUEST);
        api.patch(JOBS + "/" + id, "{\"labels\": {\"a\": \"\u2028\"}}").is(ProblemType.INVALID_REQUEST);
        api.get(JOBS + "?owner=" + URLEncoder.encode("a\u202e", StandardCharsets.UTF_8))
                .is(ProblemType.INVALID_REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " b", ", owner: alice", "é中ß", "\u05e9\u05dc", "\uD83D\uDE00", "\u00a0b"})
    void mayHaveAnyOtherCharacter(String text) {
        api.post(JOBS, submission(text)).is(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {" a", "\u00a0a", "\u3000a", "a ", "a\u00a0", "a\u3000", ".", ".."})
    void neitherBeginNorEndWithWhiteSpaceAndAreNoFolders(String name) {
        api.post(JOBS, Submissions.json(job -> job.put("name", name))).is(ProblemType.INVALID_REQUEST);
    }
}
