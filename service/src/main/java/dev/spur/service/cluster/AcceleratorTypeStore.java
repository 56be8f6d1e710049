package dev.spur.service.cluster;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.service.resource.NamedResourceTable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Accelerator types. */
@Repository
public class AcceleratorTypeStore extends NamedResourceTable<AcceleratorType> {
    public AcceleratorTypeStore(JdbcClient jdbc) {
        super(
                jdbc,
                AcceleratorType.class,
                "accelerator_type",
                "name",
                "name, memory_gib, max_all_reduce_slots, contention");
    }
}
