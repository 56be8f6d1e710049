package dev.spur.agent.inventory;

import java.util.Map;
import java.util.Optional;

/** Source of device health. */
public interface DeviceHealth {
    /**
     * Returns the failures by device id; empty if the health of all devices is unknown. May take up to half a minute.
     */
    Optional<Map<String, String>> failures();
}
