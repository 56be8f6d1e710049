package dev.spur.service.api;

import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Tests that speak HTTP to the running service. Every answer is held against the contract; nothing is registered yet.
 */
abstract class ApiTest extends ServiceTest {
    @Autowired
    JdbcClient jdbc;

    @LocalServerPort
    int port;

    ContractedClient api;

    @BeforeEach
    void beginEmpty() {
        jdbc.sql("delete from pool").update();
        jdbc.sql("delete from accelerator_type").update();
        api = new ContractedClient(port);
    }

    /** Registers type A100, pool main and a node of that type and pool for each number of devices. */
    void cluster(int... devices) {
        api.put("/api/v1/accelerator-types/A100", "{\"memoryGiB\": 40}").is(201);
        api.put("/api/v1/pools/main", "{}").is(201);
        for (int n = 0; n < devices.length; n++) {
            StringBuilder ids = new StringBuilder();
            for (int d = 0; d < devices[n]; d++) {
                ids.append(d == 0 ? "" : ", ").append("\"d").append(d).append('"');
            }
            api.put("/api/v1/nodes/n" + n, """
                    {"pool": "main", "acceleratorType": "A100", "devices": [%s], "cpus": 64, "memoryGiB": 512}
                    """.formatted(ids)).is(201);
        }
    }

    long count(String table) {
        return jdbc.sql("select count(*) from " + table).query(Long.class).single();
    }
}
