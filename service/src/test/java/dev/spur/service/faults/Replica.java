package dev.spur.service.faults;

import dev.spur.postgres.FaultInjectionProxy;
import dev.spur.service.SpurApplication;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.AnotherService;
import dev.spur.service.testing.FaultPoints;
import dev.spur.service.testing.SwitchablePolicy;
import dev.spur.service.testing.TestCluster;
import dev.spur.service.web.contract.ContractedClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole replica in this process that plans when it may, with a wire of its own to the database. */
final class Replica implements AutoCloseable {
    final FaultInjectionProxy wire;
    final ContractedClient api;
    private final ConfigurableApplicationContext context;

    private Replica(FaultInjectionProxy wire, ConfigurableApplicationContext context) {
        this.wire = wire;
        this.context = context;
        this.api =
                new ContractedClient(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    /** Starts a replica on a database; settings are given as name=value. */
    static Replica start(TestDatabase database, String... settings) {
        return start(database.jdbcUrl(), database.user(), database.password(), settings);
    }

    static Replica start(String jdbcUrl, String user, String password, String... settings) {
        FaultInjectionProxy wire = FaultInjectionProxy.to(jdbcUrl);
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spur.database.url=" + wire.through(jdbcUrl),
                "--spur.database.user=" + user,
                "--spur.database.password=" + password,
                "--spur.security.mode=local",
                "--spur.rounds.renew-interval=200ms",
                "--spur.rounds.standby-interval=100ms",
                "--spring.datasource.hikari.connection-timeout=2000"));
        for (String preset : List.of("spur.executors.check-interval=0s", "spur.rounds.lease=1s")) {
            String name = preset.substring(0, preset.indexOf('=') + 1);
            if (List.of(settings).stream().noneMatch(setting -> setting.startsWith(name))) {
                arguments.add("--" + preset);
            }
        }
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return new Replica(
                wire,
                AnotherService.start(
                        new SpringApplicationBuilder(
                                SpurApplication.class, SwitchablePolicy.class, FaultPoints.class, TestCluster.class),
                        arguments.toArray(String[]::new)));
    }

    FaultPoints faults() {
        return context.getBean(FaultPoints.class);
    }

    SwitchablePolicy policy() {
        return context.getBean(SwitchablePolicy.class);
    }

    TestCluster world() {
        return context.getBean(TestCluster.class);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() throws IOException {
        wire.mend();
        context.close();
        wire.close();
    }
}
