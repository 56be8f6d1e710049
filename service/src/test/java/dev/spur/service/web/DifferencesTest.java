package dev.spur.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.AuditTrail.Differences;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DifferencesTest {
    private static String between(String before, String after) {
        return RoundJson.mapper().writeValueAsString(Differences.between(tree(before), tree(after)));
    }

    private static JsonNode tree(String json) {
        return json == null ? null : RoundJson.mapper().readTree(json);
    }

    @Test
    void areTheMembersThatDifferWhereverTheyAre() {
        assertThat(between("{\"a\": 1, \"b\": {\"c\": [1], \"d\": 2}}", "{\"a\": 1, \"b\": {\"c\": [1, 2], \"d\": 2}}"))
                .isEqualTo("{\"/b/c\":[[1],[1,2]]}");
        assertThat(between("{\"a\": 1}", "{\"a\": 1}")).isEqualTo("{}");
    }

    @Test
    void areAllMembersOfWhatIsNewOrGone() {
        assertThat(between(null, "{\"a\": 1}")).isEqualTo("{\"/a\":[null,1]}");
        assertThat(between("{\"a\": {\"b\": 1}}", null)).isEqualTo("{\"/a/b\":[1,null]}");
    }

    @Test
    void cutWhatIsLongAndHideEnvironments() {
        String cut = between(null, "{\"a\": \"" + "x".repeat(1000) + "\"}");
        String hidden = between(null, "{\"command\": {\"env\": {\"PASSWORD\": \"secret\"}}}");

        assertThat(cut).hasSizeLessThan(300).contains("(1000 characters)");
        assertThat(hidden).doesNotContain("secret").contains("/command/env/PASSWORD");
    }
}
