package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class EventsCommandTest {
    @Test
    void aChangedSettingIsShownWithBothValues() {
        assertThat(detail("{'slots': 2, 'change': 'reconfigure', 'batchSize': {'before': 512, 'after': 116}}"))
                .isEqualTo("slots=2 change=reconfigure batchSize=512->116");
        assertThat(detail("{'strategy': {'before': 'ALL_REDUCE', 'after': 'PARAMETER_SERVER'}, 'missing': ['n1']}"))
                .isEqualTo("strategy=ALL_REDUCE->PARAMETER_SERVER missing=[\"n1\"]");
    }

    private static String detail(String json) {
        return EventsCommand.detail(new JsonMapper().readTree("{\"detail\": %s}".formatted(json.replace('\'', '"'))));
    }
}
