package dev.spur.model.allocation;

import dev.spur.model.Checks;
import java.util.List;
import java.util.Set;

/**
 * The part of a job on one node.
 *
 * @param node id of the node
 * @param devices ids of the devices on that node, at least one, each once
 */
public record NodeShare(String node, List<String> devices) {
    public NodeShare {
        Checks.nonBlank("node", node);
        devices = Checks.copy(devices);
        Checks.require(!devices.isEmpty(), "the share of node %s has no device", node);
        Checks.require(
                Set.copyOf(devices).size() == devices.size(), "devices (%s) on node %s must be unique", devices, node);
    }

    /** Returns the number of devices. */
    public int slots() {
        return devices.size();
    }
}
