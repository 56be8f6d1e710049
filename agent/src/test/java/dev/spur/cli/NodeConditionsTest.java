package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class NodeConditionsTest {
    private static NodeConditions read(String text) {
        return new NodeConditions.Converter().convert(text);
    }

    @Test
    void areReadFromOptions() {
        assertThat(read("zone=a,b")).isEqualTo(new NodeConditions("zone", "IN", List.of("a", "b")));
        assertThat(read("zone!=a")).isEqualTo(new NodeConditions("zone", "NOT_IN", List.of("a")));
        assertThat(read("age>3")).isEqualTo(new NodeConditions("age", "GREATER_THAN", List.of("3")));
        assertThat(read("age<3")).isEqualTo(new NodeConditions("age", "LESS_THAN", List.of("3")));
        assertThat(read("fast")).isEqualTo(new NodeConditions("fast", "EXISTS", List.of()));
        assertThat(read("!fast")).isEqualTo(new NodeConditions("fast", "DOES_NOT_EXIST", List.of()));
        assertThatThrownBy(() -> read("!"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("must be LABEL, !LABEL, LABEL=VALUE");
        assertThatThrownBy(() -> read("age>=4"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("for LABEL>=4 state LABEL>3");
    }

    @Test
    void becomeAPreferenceInWords() {
        ObjectNode preference = JsonNodeFactory.instance.objectNode();
        read("zone=a").addTo(preference.putArray("requirements"));

        assertThat(NodeConditions.preference(preference)).isEqualTo("zone in a; utility elsewhere 0.95");
        assertThat(NodeConditions.preference(preference.put("factor", 0.8)))
                .isEqualTo("zone in a; utility elsewhere 0.8");
    }

    @Test
    void becomeRequirementsOfTheSpecification() {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        NodeConditions.onNames(List.of("n1", "n2"), false).addTo(spec);
        read("!fast").addTo(spec);

        assertThat(spec.at("/elasticity/nodes/0").toString())
                .isEqualTo("{\"label\":\"spur/node\",\"operator\":\"IN\",\"values\":[\"n1\",\"n2\"]}");
        assertThat(NodeConditions.text(spec.at("/elasticity/nodes")))
                .isEqualTo("spur/node in n1 or n2, fast does not exist");
    }
}
