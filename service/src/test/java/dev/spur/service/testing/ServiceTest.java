package dev.spur.service.testing;

import dev.spur.service.postgres.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * The service on a port and a database of its own, shared by all tests that extend this. No rounds run by themselves, and
 * before each test the cluster is empty.
 */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"spur.rounds.enabled=false", "spur.rounds.late-seconds=0.5"})
@Import({SwitchablePolicy.class, World.class})
public abstract class ServiceTest {
    private static final TestDatabase DATABASE = TestDatabase.create();

    @Autowired
    protected World world;

    @Autowired
    protected SwitchablePolicy policy;

    @LocalServerPort
    private int port;

    /** A caller of the service. */
    protected Client client() {
        return new Client(port);
    }

    @DynamicPropertySource
    static void useTheDatabase(DynamicPropertyRegistry registry) {
        DATABASE.register(registry);
    }

    @BeforeEach
    void beginAnew() {
        policy.reset();
        world.reset();
    }
}
