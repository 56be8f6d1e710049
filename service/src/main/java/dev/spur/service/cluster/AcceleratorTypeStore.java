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

    @Override
    public boolean insert(AcceleratorType type) {
        return jdbc.sql("""
                        insert into accelerator_type (name, memory_gib, max_all_reduce_slots, contention) values (?, ?, ?, ?)
                        on conflict do nothing
                        """)
                        .param(type.name())
                        .param(type.memoryGiB())
                        .param(type.maxAllReduceSlots())
                        .param(type.contention())
                        .update()
                == 1;
    }

    @Override
    public void replace(AcceleratorType type) {
        jdbc.sql("""
                        update accelerator_type set memory_gib = ?, max_all_reduce_slots = ?, contention = ?, version = version + 1
                        where name = ?
                        """)
                .param(type.memoryGiB())
                .param(type.maxAllReduceSlots())
                .param(type.contention())
                .param(type.name())
                .update();
    }
}
