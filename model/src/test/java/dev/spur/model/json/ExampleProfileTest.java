package dev.spur.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExampleProfileTest {
    @Test
    void theMeasuredProfileIsOneThatAJobCanState() {
        var file = RoundJson.mapper()
                .readTree(Path.of("../examples/profiles/cpu-mlp.json").toFile());

        ThroughputProfile profile = RoundJson.mapper().treeToValue(file.path("profile"), ThroughputProfile.class);

        assertThat(profile.points()).hasSize(12).allMatch(point -> point.samplesPerSecond() > 0);
        assertThat(profile.points()).extracting(ProfilePoint::slots).containsOnly(1, 2);
        assertThat(file.path("measured").propertyNames()).contains("model", "device", "software", "date");
    }
}
