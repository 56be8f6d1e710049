package dev.spur.benchmarks.chaos;

import dev.spur.benchmarks.load.ServiceProcess;
import dev.spur.postgres.FakeClockServer;
import dev.spur.postgres.FaultInjectionProxy;
import dev.spur.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Two replicas on one database and three agents with four stated slots each, all of them processes on this machine that
 * a fault can hit. Where this user may mount file systems, each agent has a small disk, and so have the checkpoints.
 */
public final class ChaosSite implements AutoCloseable {
    static final int REPLICAS = 2;
    static final int NODES = 3;
    private static final int SLOTS = 4;
    private static final long START_SECONDS = 300;
    private static final int FIRST_GANG_PORT = 27_000;
    private static final String DISK_MIB = "24";
    private static final String CHECKPOINTS_MIB = "256";

    private static final Map<String, String> SETTINGS = Map.of(
            // These flags make starts short.
            "JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "SPUR_EXECUTORS_LEASE", "30s",
            "SPUR_EXECUTORS_GRACE", "10s",
            "SPUR_EXECUTORS_RETRYBACKOFF", "1s",
            "SPUR_EXECUTORS_MAXRETRYBACKOFF", "10s");

    private final Path folder;
    private final Consumer<String> log;
    private final @Nullable FakeClockServer clock;
    private volatile PostgresServer database;
    private final List<Replica> replicas = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final SmallDisks smallDisks = new SmallDisks();
    private final List<String> crashes = new ArrayList<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread watch = new Thread(this::watch, "chaos-watch");

    private ChaosSite(Path folder, Consumer<String> log) throws IOException {
        this.folder = folder;
        this.log = log;
        Path home = Files.createDirectories(databaseHome());
        Optional<Path> library = FakeClockServer.library();
        this.clock = library.isPresent() ? FakeClockServer.start(home, library.get()) : null;
        this.database = clock == null ? PostgresServer.start(home) : clock.server();
    }

    private static final class Replica {
        final FaultInjectionProxy toDatabase;
        final Path home;
        volatile @Nullable ServiceProcess process;

        Replica(FaultInjectionProxy toDatabase, Path home) {
            this.toDatabase = toDatabase;
            this.home = home;
        }
    }

    private static final class Node {
        final String name;
        final FaultInjectionProxy toService;
        volatile @Nullable Process agent;

        Node(String name, FaultInjectionProxy toService) {
            this.name = name;
            this.toService = toService;
        }
    }

    /**
     * Starts everything in {@code folder}.
     *
     * @param log receives what happens, a line each
     */
    public static ChaosSite start(Path folder, Consumer<String> log)
            throws IOException, InterruptedException, SQLException {
        ChaosSite site = new ChaosSite(folder, log);
        try {
            site.startAll();
            return site;
        } catch (IOException | InterruptedException | SQLException | RuntimeException e) {
            site.close();
            throw e;
        }
    }

    private void startAll() throws IOException, InterruptedException, SQLException {
        smallDisks.mount(checkpoints(), CHECKPOINTS_MIB);
        for (int i = 0; i < REPLICAS; i++) {
            Path home = Files.createDirectories(folder.resolve("replica-" + (i + 1)));
            replicas.add(new Replica(FaultInjectionProxy.to(database.jdbcUrl()), home));
        }
        startReplica(0);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            // Away from the ports of other services on this machine, whose ranks would meet these.
            statement.execute("alter sequence gang_port restart with " + FIRST_GANG_PORT);
        }
        for (int i = 0; i < NODES; i++) {
            int port = address(0).orElseThrow().getPort();
            nodes.add(new Node("node-" + (i + 1), new FaultInjectionProxy(port)));
            smallDisks.mount(folder.resolve(nodes.get(i).name), DISK_MIB);
            startAgent(i);
        }
        for (int i = 1; i < REPLICAS; i++) {
            startReplica(i);
        }
        watch.setDaemon(true);
        watch.start();
    }

    /** Returns the faults that this machine cannot inject, with the reason. */
    public Map<FaultKind, String> missing() {
        Map<FaultKind, String> found = new HashMap<>();
        if (clock == null) {
            found.put(FaultKind.JUMP_CLOCK, "libfaketime is not installed");
        }
        if (smallDisks.count() <= NODES) {
            String reason = "this user cannot mount file systems";
            found.put(FaultKind.FILL_DISK, reason);
            found.put(FaultKind.FILL_CHECKPOINTS, reason);
        }
        return found;
    }

    private Path databaseHome() {
        return folder.resolve("database");
    }

    /** Returns the folder of all checkpoints. */
    Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    /** Returns the state folder of an agent. */
    Path disk(int node) {
        return folder.resolve(nodes.get(node).name);
    }

    String nodeName(int node) {
        return nodes.get(node).name;
    }

    FaultInjectionProxy toService(int node) {
        return nodes.get(node).toService;
    }

    FaultInjectionProxy toDatabase(int replica) {
        return replicas.get(replica).toDatabase;
    }

    /** Returns the address of a replica; empty while it does not run. */
    Optional<URI> address(int replica) {
        return Optional.ofNullable(replicas.get(replica).process).map(ServiceProcess::address);
    }

    /** Opens a connection to the database that no fault hits. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    }

    /** Sets the clock of the database to a number of seconds after the right time; negative for before it. */
    void setClock(int seconds) throws IOException {
        if (clock != null) {
            clock.set(seconds);
        }
    }

    /** Kills the database with all of its connections, as a crash of its machine does. */
    void killDatabase() throws IOException, InterruptedException {
        Path lock = databaseHome().resolve("postgres/data/postmaster.pid");
        MachineCommand.run("kill", "-KILL", Files.readAllLines(lock).get(0));
        database.close();
    }

    /** Starts the killed database, and leads the replicas to its new port. */
    void startDatabase() {
        database = PostgresServer.start(databaseHome());
        int port = FaultInjectionProxy.portOf(database.jdbcUrl());
        replicas.forEach(replica -> replica.toDatabase.target(port));
    }

    /**
     * Starts a replica, and leads its agents to it. Repeats a start that fails, as a service manager does: another
     * fault may have stalled the connection to the database, or killed it.
     */
    void startReplica(int index) throws IOException, InterruptedException {
        Replica replica = replicas.get(index);
        Map<String, String> environment = new HashMap<>(SETTINGS);
        environment.put("SPUR_DATABASE_URL", replica.toDatabase.through(database.jdbcUrl()));
        environment.put("SPUR_DATABASE_USER", database.user());
        environment.put("SPUR_DATABASE_PASSWORD", database.password());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        // The watch and the end of a fault may both start it.
        synchronized (replica) {
            while (replica.process == null && !isClosed.get()) {
                try {
                    replica.process = ServiceProcess.start(replica.home, environment);
                } catch (IllegalStateException e) {
                    log.accept("replica %d did not start".formatted(index + 1));
                    if (System.nanoTime() > end) {
                        throw e;
                    }
                    TimeUnit.SECONDS.sleep(1);
                }
            }
        }
        balance();
    }

    /** Kills a replica. Its agents find the other one, if it runs. */
    void killReplica(int index) throws InterruptedException {
        Replica replica = replicas.get(index);
        synchronized (replica) {
            ServiceProcess process = replica.process;
            replica.process = null;
            if (process != null) {
                process.kill();
            }
        }
        balance();
    }

    /** Leads each agent to the replica with its index, or else to one that runs, as a load balancer does. */
    private void balance() {
        for (int i = 0; i < nodes.size(); i++) {
            Optional<URI> other = address((i + 1) % REPLICAS);
            FaultInjectionProxy proxy = toService(i);
            address(i % REPLICAS).or(() -> other).ifPresent(replica -> proxy.target(replica.getPort()));
        }
    }

    /** Starts an agent, unless the site is closed. */
    synchronized void startAgent(int index) throws IOException {
        if (isClosed.get()) {
            return;
        }
        Node node = nodes.get(index);
        List<String> words = ServiceProcess.java("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m");
        words.addAll(List.of("dev.spur.cli.Main", "agent", "--service=http://127.0.0.1:" + node.toService.port()));
        words.addAll(List.of("--node=" + node.name, "--slots=" + SLOTS, "--type=stated", "--address=127.0.0.1"));
        words.addAll(List.of("--state=" + disk(index), "--checkpoints=" + checkpoints()));
        if (System.getProperty("user.name").equals("root")) {
            words.add("--user=root");
        }
        node.agent = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(node.name + ".log").toFile()))
                .start();
    }

    synchronized void killAgent(int index) throws InterruptedException {
        Process agent = nodes.get(index).agent;
        nodes.get(index).agent = null;
        if (agent != null) {
            agent.destroyForcibly().waitFor();
        }
    }

    /** Sends a signal to an agent. */
    void signalAgent(int index, String signal) throws IOException, InterruptedException {
        Process agent = nodes.get(index).agent;
        if (agent != null) {
            MachineCommand.run("kill", "-" + signal, Long.toString(agent.pid()));
        }
    }

    /** Returns the processes of ranks. */
    List<ProcessHandle> ranks() {
        String own = folder.toString();
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(words -> words.contains(ChaosJob.SCRIPT.toString()) && words.contains(own))
                        .isPresent())
                .filter(process -> process.info().command().orElse("").contains("python"))
                .toList();
    }

    /** Starts again what has ended without a fault, as a service manager does. */
    private void watch() {
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(1);
                for (int i = 0; i < NODES; i++) {
                    Process agent = nodes.get(i).agent;
                    if (agent != null && !agent.isAlive()) {
                        report("agent %d ended by itself with status %d".formatted(i + 1, agent.exitValue()));
                        startAgent(i);
                    }
                }
                for (int i = 0; i < REPLICAS; i++) {
                    restartIfEnded(i);
                }
            }
        } catch (IOException | IllegalStateException e) {
            report("the watch ended: " + e);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void restartIfEnded(int index) throws IOException, InterruptedException {
        Replica replica = replicas.get(index);
        synchronized (replica) {
            ServiceProcess process = replica.process;
            if (process != null && !process.isAlive()) {
                report("replica %d ended by itself".formatted(index + 1));
                replica.process = null;
                startReplica(index);
            }
        }
    }

    private synchronized void report(String crash) {
        crashes.add(crash);
        log.accept(crash);
    }

    /** Returns the programs that ended without a fault. */
    public synchronized List<String> crashes() {
        return List.copyOf(crashes);
    }

    /** Ends everything that it started. A second call waits for the first. */
    @Override
    public void close() {
        try {
            if (!isClosed.compareAndSet(false, true)) {
                ended.await();
                return;
            }
            watch.interrupt();
            watch.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    private void end() throws IOException, InterruptedException {
        try (smallDisks) {
            endProcesses();
        }
    }

    private void endProcesses() throws IOException, InterruptedException {
        for (int i = 0; i < nodes.size(); i++) {
            killAgent(i);
            toService(i).close();
        }
        ranks().forEach(ProcessHandle::destroyForcibly);
        for (int i = 0; i < replicas.size(); i++) {
            Replica replica = replicas.get(i);
            synchronized (replica) {
                ServiceProcess process = replica.process;
                if (process != null) {
                    process.kill();
                }
            }
            toDatabase(i).close();
        }
        database.close();
    }
}
