package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Times and lists of nodes in the notations of Slurm. */
class SlurmTimeTest {
    @ParameterizedTest
    @CsvSource({
        "90, 5400",
        "1:30, 90",
        "4:00:00, 14400",
        "100:00:01, 360001",
        "1-12, 129600",
        "1-00:30, 88200",
        "2-03:04:05, 183845",
        "0-0:0:1, 1"
    })
    void hasTheFormsOfSlurm(String text, double seconds) {
        assertThat(SlurmTime.read(text).seconds()).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4h", "-1", "1:2:3:4", "1-2-3", "1-", "0", "0:00:00", "99999999"})
    void refusesOtherForms(String text) {
        assertThatThrownBy(() -> SlurmTime.read(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("4:00:00");
    }

    @Test
    void mayBeUnlimited() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        SlurmTime.read("60").putInto(spec);
        assertThat(spec.at("/timeLimit/seconds").asDouble()).isEqualTo(3600);
        SlurmTime.read("UNLIMITED").putInto(spec);
        assertThat(spec.path("timeLimit").isNull()).isTrue();
        assertThat(SlurmTime.text(93_784)).isEqualTo("26:03:04");
    }

    @Test
    void listsOfNodesAreExpanded() {
        assertThat(SlurmHosts.expand("a")).containsExactly("a");
        assertThat(SlurmHosts.expand("a,b[08-10,12],c[1-2]-x[3]"))
                .isEqualTo(List.of("a", "b08", "b09", "b10", "b12", "c1-x3", "c2-x3"));
        for (String text : List.of("", "a[", "a[1-x]", "a[1-99999999]", "a]", ",a")) {
            assertThatThrownBy(() -> SlurmHosts.expand(text))
                    .as(text)
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("is no list");
        }
    }
}
