package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class ContractFileTest {

    @Test
    void theContractTravelsWithTheService() throws IOException {
        try (InputStream file = getClass().getResourceAsStream("/openapi.yaml")) {
            JsonNode contract = new YAMLMapper().readTree(file);

            assertThat(contract.path("openapi").asString()).startsWith("3.1");
        }
    }

    @Test
    void theValidatorReportsEveryBrokenField() {
        var schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema("""
                        type: object
                        properties:
                          slots: {type: integer, minimum: 1}
                          owner: {type: string}
                        """, InputFormat.YAML);

        var errors = schema.validate("{\"slots\": 0, \"owner\": 7}", InputFormat.JSON);

        assertThat(errors)
                .extracting(error -> error.getInstanceLocation().toString())
                .containsExactlyInAnyOrder("/slots", "/owner");
    }
}
