package dev.spur.service.cluster;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.service.database.NamedResourceTable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Accelerator types. */
@Repository
public class AcceleratorTypeStore extends NamedResourceTable<AcceleratorType> {
    private static final String COLUMNS = "name, memory_gib, max_all_reduce_slots, contention, idle_watts, load_watts";
    /** Selects every accelerator type, by name. */
    public static final String ALL = "select " + COLUMNS + " from accelerator_type order by name";

    public AcceleratorTypeStore(JdbcClient jdbc) {
        super(jdbc, AcceleratorType.class, "accelerator_type", "name", COLUMNS);
    }
}
