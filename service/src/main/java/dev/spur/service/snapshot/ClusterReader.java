package dev.spur.service.snapshot;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.service.cluster.AcceleratorTypeStore;
import dev.spur.service.cluster.DeviceHealthStore;
import dev.spur.service.cluster.DeviceHealthStore.QuarantinedDevice;
import dev.spur.service.cluster.MaintenanceStore;
import dev.spur.service.cluster.NodeMemoryStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.cluster.PoolStore;
import dev.spur.service.cluster.ReservationStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Reads the cluster as rounds use it: nodes have no quarantined devices. */
@Component
class ClusterReader {
    private final AcceleratorTypeStore types;
    private final PoolStore pools;
    private final NodeStore nodes;
    private final DeviceHealthStore health;
    private final NodeMemoryStore memory;
    private final ReservationStore reservations;
    private final MaintenanceStore maintenance;

    ClusterReader(
            AcceleratorTypeStore types,
            PoolStore pools,
            NodeStore nodes,
            DeviceHealthStore health,
            NodeMemoryStore memory,
            ReservationStore reservations,
            MaintenanceStore maintenance) {
        this.types = types;
        this.pools = pools;
        this.nodes = nodes;
        this.health = health;
        this.memory = memory;
        this.reservations = reservations;
        this.maintenance = maintenance;
    }

    List<AcceleratorType> types() {
        return types.all("name");
    }

    List<Pool> pools() {
        return pools.all("name");
    }

    List<Node> nodes() {
        Map<String, Set<String>> quarantined = health.quarantined(null).stream()
                .collect(Collectors.groupingBy(
                        QuarantinedDevice::node, Collectors.mapping(QuarantinedDevice::device, Collectors.toSet())));
        return nodes.all().stream()
                .map(node -> without(quarantined.getOrDefault(node.id(), Set.of()), node))
                .toList();
    }

    List<MemoryUse> memoryUse() {
        return memory.all();
    }

    List<Reservation> reservations() {
        return reservations.inRounds();
    }

    List<MaintenanceWindow> maintenance() {
        return maintenance.ahead();
    }

    private static Node without(Set<String> devices, Node node) {
        return devices.isEmpty()
                ? node
                : node.withDevices(node.devices().stream()
                        .filter(device -> !devices.contains(device))
                        .toList());
    }
}
