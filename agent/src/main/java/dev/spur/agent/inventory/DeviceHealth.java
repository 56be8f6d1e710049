package dev.spur.agent.inventory;

import java.util.Map;
import java.util.Optional;

/** Something that knows how the devices of this node do. */
public interface DeviceHealth {
    /**
     * What is wrong with devices, by their ids; empty if nothing can be said of any now. May take as long as half a
     * minute.
     */
    Optional<Map<String, String>> complaints();
}
