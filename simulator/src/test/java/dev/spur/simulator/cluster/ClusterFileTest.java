package dev.spur.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.cluster.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFileTest {
    @TempDir
    private Path folder;

    @Test
    void namesNodesByTypeAndNumber() throws IOException {
        ClusterFile cluster = read("""
                {"nodes": [
                  {"type": "T4", "count": 2, "slots": 4},
                  {"type": "A100", "count": 1, "slots": 8, "memoryGiBPerSlot": 40, "pool": "side"},
                  {"type": "T4", "count": 1, "slots": 8, "cpus": 32, "memoryGiB": 128}
                ]}
                """);

        assertThat(cluster.allNodes()).extracting(Node::id).containsExactly("t4-0", "t4-1", "a100-0", "t4-2");
        assertThat(cluster.allNodes()).extracting(Node::slots).containsExactly(4, 4, 8, 8);
        assertThat(cluster.allNodes().get(3).cpus()).isEqualTo(32);
        assertThat(cluster.acceleratorTypes()).extracting("name").containsExactly("T4", "A100");
        assertThat(cluster.pools()).extracting("name").containsExactly("main", "side");
        assertThat(cluster.slots()).isEqualTo(24);
    }

    @Test
    void saysWhatIsWrongWithAFile() {
        assertThatThrownBy(() -> read("{\"nodes\": [{\"type\": \"T4\", \"count\": 2, \"slots\": 4, \"colour\": 1}]}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("colour");
        assertThatThrownBy(() -> read("{\"nodes\": []}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at least one kind of node");
    }

    private ClusterFile read(String json) throws IOException {
        return ClusterFile.read(Files.writeString(folder.resolve("cluster.json"), json));
    }
}
