package dev.spur.model.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Level of the network topology above the nodes. */
public enum TopologyLevel {
    /** Nodes with the same label {@link Node#BLOCK_LABEL}. */
    @JsonProperty("block")
    BLOCK,
    /** Nodes of the same rack and block. */
    @JsonProperty("rack")
    RACK;

    /** Returns the domain of {@code node} at this level; null if the node does not state one. */
    public @Nullable TopologyDomain domainOf(Node node) {
        String block = node.block();
        String name = this == BLOCK ? block : node.rack();
        return name == null ? null : new TopologyDomain(this, block == null ? "" : block, name);
    }

    /** Returns the name of the level in the contract: {@code block} or {@code rack}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
