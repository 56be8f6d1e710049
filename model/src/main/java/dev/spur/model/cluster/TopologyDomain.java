package dev.spur.model.cluster;

/**
 * Nodes that are in one place of the network topology.
 *
 * @param level level of the place
 * @param block name of its block; empty for a rack outside of blocks
 * @param name name of the block or rack
 */
public record TopologyDomain(TopologyLevel level, String block, String name) {
    /** Returns a text such as {@code rack r1 of block b1}. */
    @Override
    public String toString() {
        return level + " " + name + (level == TopologyLevel.BLOCK || block.isEmpty() ? "" : " of block " + block);
    }
}
