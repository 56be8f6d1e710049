package dev.spur.agent;

import dev.spur.agent.inventory.Device;
import dev.spur.agent.inventory.GpuUsage;
import dev.spur.agent.inventory.GpuUsage.DeviceUsage;
import dev.spur.agent.inventory.Inventory;
import dev.spur.agent.inventory.InventoryException;
import dev.spur.agent.inventory.SharedGpus;
import dev.spur.agent.process.ControlGroup;
import dev.spur.agent.process.CpuAffinity;
import dev.spur.agent.process.JobUsers;
import dev.spur.agent.process.LeaseFile;
import dev.spur.agent.process.ProcessRuns;
import dev.spur.agent.process.RunSpec;
import dev.spur.agent.process.SmallFile;
import dev.spur.agent.process.StateDirectory;
import dev.spur.agent.protocol.HostEnforcement;
import dev.spur.agent.protocol.ServiceAddress;
import dev.spur.agent.protocol.ServiceClient;
import dev.spur.agent.reconcile.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command {@code spur agent}: runs the assignments of this node until it is stopped. Jobs continue without the agent.
 */
@Command(
        name = "agent",
        description = "Run the jobs assigned to this node. Jobs continue while the agent is stopped or restarted.",
        mixinStandardHelpOptions = true)
public final class AgentCommand implements Callable<Integer> {
    private static final Duration TICK = Duration.ofMillis(300);

    @Option(
            names = "--service",
            paramLabel = "URL",
            description = "URL of the service (default: SPUR_URL, otherwise http://127.0.0.1:8080).")
    private @Nullable String service;

    @Option(names = "--node", paramLabel = "NAME", description = "Name of this node (default: the host name).")
    private @Nullable String node;

    @Option(
            names = "--address",
            paramLabel = "HOST",
            description = "Address of this node for other nodes (default: the host name).")
    private @Nullable String address;

    @Option(
            names = "--token",
            paramLabel = "FILE",
            description = "File with a token of the role EXECUTOR (default: SPUR_TOKEN).")
    private @Nullable Path token;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "State directory (default: SPUR_HOME/agent/NODE; SPUR_HOME defaults to ~/.spur).")
    private @Nullable Path state;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description = "Folder of the output of jobs, also of another file system (default: STATE/logs).")
    private @Nullable Path logs;

    @Option(
            names = "--checkpoints",
            paramLabel = "DIR",
            description =
                    "Checkpoint folder for jobs that specify none; must be shared by all nodes (default: STATE/checkpoints).")
    private @Nullable Path checkpoints;

    @Option(
            names = "--user",
            paramLabel = "[TENANT=]NAME",
            description =
                    "User that runs the processes of a tenant, or of all tenants; repeatable. Requires an agent that runs as root, whose default is the user spur-TENANT, otherwise spur-jobs. Where neither exists, the agent of a local service uses root.")
    private List<String> users = List.of();

    @Option(
            names = "--cgroup",
            paramLabel = "DIR",
            description =
                    "Control group (version 2) that limits jobs (default: /sys/fs/cgroup/spur if it can be created).")
    private @Nullable Path cgroup;

    @Mixin
    private NewNodeOptions newNode = new NewNodeOptions();

    @Mixin
    private InventoryOptions offered = new InventoryOptions();

    @Mixin
    private MonitoringOptions monitoring = new MonitoringOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        URI url = url();
        String name = Objects.requireNonNullElseGet(node, AgentCommand::hostName);
        Inventory inventory = inventory(name);
        if (!monitoring.validationError().isEmpty()) {
            throw rejection(monitoring.validationError());
        }
        Path folder = Objects.requireNonNullElseGet(
                state, () -> spurHome().resolve("agent").resolve(name));
        Path output = Objects.requireNonNullElseGet(logs, () -> folder.resolve("logs"));
        JobUsers jobUsers = jobUsers(url);
        try (StateDirectory directory = StateDirectory.open(folder, output)) {
            run(url, name, inventory, directory, folder, jobUsers);
            return 0;
        } catch (IOException e) {
            return fail(ErrorMessages.of(e));
        } catch (UncheckedIOException e) {
            return fail(ErrorMessages.of(e));
        }
    }

    private int fail(String cause) {
        spec.commandLine().getErr().println("spur: " + cause);
        spec.commandLine().getErr().flush();
        return 1;
    }

    private void run(
            URI url, String name, Inventory inventory, StateDirectory directory, Path folder, JobUsers jobUsers)
            throws IOException, InterruptedException {
        if (jobUsers.areSeparate()) {
            directory.admitJobUsers();
            requirePrivateToken();
        }
        var client = new ServiceClient(url, this::token);
        var lease = new LeaseFile(directory);
        Optional<ControlGroup> limits = limits();
        ProcessRuns.LogBounds bounds = monitoring.logs();
        ProcessRuns runs = ProcessRuns.reattach(directory, limits, bounds, this::printLine);
        StateDirectory sums = directory.part("aggregators");
        ProcessRuns summing = ProcessRuns.reattach(sums, limits, bounds, this::printLine);
        RunSpec.@Nullable Owner summer = Aggregators.owner(jobUsers, sums);
        var aggregators = new Aggregators(
                summing, sums, summer, Aggregators.program(sums.file("aggregator.jar"), summer), this::printLine);
        StateDirectory data = directory.part("preparations");
        StateDirectory roles = directory.part("roles");
        if (jobUsers.areSeparate()) {
            data.admitJobUsers();
            roles.admitJobUsers();
        }
        Path shared = Objects.requireNonNullElse(checkpoints, folder.resolve("checkpoints"))
                .toAbsolutePath();
        var tenants = new TenantUsers(jobUsers, directory, shared);
        ProcessRuns preparing = ProcessRuns.reattach(data, limits, bounds, this::printLine);
        var preparations = new Preparations(preparing, tenants, client, this::printLine);
        ProcessRuns replicas = ProcessRuns.reattach(roles, limits, bounds, this::printLine);
        var retention = new LogRetention(List.of(runs, summing, preparing, replicas));
        var disk = new DiskWatch(List.of(folder, directory.logs()), this::printLine);
        StateDirectory lent = directory.part("exports");
        var exports = new MemoryExports(
                new MemoryLoans(directory.file("lends.json"), this::printLine),
                ProcessRuns.reattach(lent, limits, bounds, this::printLine),
                lent,
                MemoryServer.of(monitoring.nbdkit(), name, Optional.ofNullable(address)),
                this::printLine);
        exports.refusal().ifPresent(cause -> printLine("this node lends no memory: " + cause));
        var wake = new Semaphore(0);
        var presence = new RunningAssignments();
        runs.observe();
        presence.publish(runs.all());
        var identity = new ServiceSession.Identity(
                name,
                instance(folder),
                version(),
                addressOr(hostName()),
                newNode.pool(),
                newNode.labels(),
                newNode.aggregationSlots(),
                limits.isPresent() ? HostEnforcement.CGROUP : restrictCpus(List.of(runs, replicas), inventory.cpus()),
                offered.sharesGpus());
        var aggregation = new ServiceSession.Aggregation(aggregators::brokenAggregators, aggregators::counts);
        List<String> ids = inventory.devices().stream().map(Device::id).toList();
        var sources = monitoring.health(offered.areMeasured(), inventory.devices(), this::printLine);
        Supplier<Map<String, DeviceUsage>> usage = offered.areMeasured() ? new GpuUsage() : Map::of;
        var health = new HealthWatch(ids, sources, usage, this::printLine);
        var link = new ServiceSession(
                client,
                identity,
                inventory,
                lease,
                presence::running,
                aggregation,
                health::report,
                disk::shortage,
                this::printLine);
        var reporting = new TransitionReporter(client, name, link, presence, this::printLine);
        var uploader = new LogUploader(client, name, link, this::token, this::printLine);
        var poller = new DesiredStatePoller(client, name, link, wake::release);
        Map<String, String> visible =
                inventory.devices().stream().collect(Collectors.toMap(Device::id, Device::visibleAs));
        var given = new Environment.Node(id -> visible.getOrDefault(id, id), tenants, url, SharedGpus.of(inventory));
        var parts = new Agent.Components(
                runs,
                aggregators,
                preparations,
                new RoleReplicas(replicas, runs, given, tenants, this::printLine),
                exports,
                presence,
                lease,
                link,
                poller,
                new ProgressUploader(client, this::printLine),
                reporting,
                uploader,
                disk);
        var agent = new Agent(parts, given, tenants, this::printLine);
        printLine(summary(name, inventory, folder));
        if (offered.sharesGpus()) {
            printLine("jobs with a share run on one device, %s"
                    .formatted(given.gpus().enforcement()));
        }
        if (!runs.all().isEmpty()) {
            int count = runs.all().size();
            printLine("reattached to %d %s".formatted(count, count == 1 ? "run" : "runs"));
        }
        jobUsers.warning().ifPresent(this::printLine);
        start("link", link);
        start("poller", poller);
        start("logs", uploader);
        var memory = monitoring.memory(inventory.memoryGiB(), () -> ProcessRuns.usedGiB(directory));
        if (!sources.isEmpty()) {
            start("health", () -> health.watch(link::requestHeartbeat));
        }
        start("memory", new MemoryWatch(client, name, link, exports, memory));
        while (!Thread.currentThread().isInterrupted()) {
            agent.step();
            retention.prune();
            wake.tryAcquire(TICK.toMillis(), TimeUnit.MILLISECONDS);
            wake.drainPermits();
        }
    }

    static String summary(String node, Inventory inventory, Path folder) {
        int devices = inventory.devices().size();
        return "node %s: %d %s, %.0f CPUs, %.1f GiB; state in %s"
                .formatted(
                        node,
                        devices,
                        devices == 1 ? "device" : "devices",
                        inventory.cpus(),
                        inventory.memoryGiB(),
                        folder);
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private Inventory inventory(String name) {
        try {
            return offered.inventory(name, monitoring.memoryInfo());
        } catch (InventoryException unknown) {
            throw rejection(String.valueOf(unknown.getMessage()));
        }
    }

    private JobUsers jobUsers(URI service) {
        try {
            return JobUsers.parse(users, ServiceAddress.isLocal(service));
        } catch (IllegalArgumentException wrong) {
            throw rejection(String.valueOf(wrong.getMessage()));
        } catch (IOException e) {
            throw rejection("--user: " + ErrorMessages.of(e));
        }
    }

    private Optional<ControlGroup> limits() {
        Path folder = Objects.requireNonNullElse(cgroup, Path.of("/sys/fs/cgroup/spur"));
        try {
            return Optional.of(ControlGroup.open(folder));
        } catch (IOException e) {
            printLine("no control groups limit CPUs and memory of jobs: " + ErrorMessages.of(e));
            return Optional.empty();
        }
    }

    /** Restricts the CPUs of jobs by affinity, unless the node offers only a part of the CPUs of the agent. */
    private HostEnforcement restrictCpus(List<ProcessRuns> runs, double cpus) {
        try {
            CpuAffinity affinity = CpuAffinity.open();
            if (cpus < affinity.size()) {
                printLine("CPUs of jobs are not limited: the node offers %s of the %d CPUs that this agent may use"
                        .formatted(cpus, affinity.size()));
                return HostEnforcement.NONE;
            }
            runs.forEach(each -> each.restrictCpus(affinity));
            return HostEnforcement.AFFINITY;
        } catch (IOException e) {
            printLine("CPUs of jobs are not limited: " + ErrorMessages.of(e));
            return HostEnforcement.NONE;
        }
    }

    private Optional<String> token() {
        Path file = token;
        return file == null ? Optional.ofNullable(System.getenv("SPUR_TOKEN")) : SmallFile.read(file);
    }

    /** Requires that no job can read the file of the token. */
    private void requirePrivateToken() throws IOException {
        Path file = token;
        if (file != null) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.contains(PosixFilePermission.GROUP_READ)
                    || permissions.contains(PosixFilePermission.OTHERS_READ)) {
                throw rejection("jobs could read the token in %s: chmod 600 %s".formatted(file, file));
            }
            if (!Objects.equals(Files.getAttribute(file, "unix:uid"), 0)) {
                throw rejection("jobs of its owner could read the token in %s: chown root %s".formatted(file, file));
            }
        }
    }

    private URI url() {
        try {
            return ServiceAddress.of(service);
        } catch (IllegalArgumentException wrong) {
            throw rejection(String.valueOf(wrong.getMessage()));
        }
    }

    private String addressOr(String other) {
        return Objects.requireNonNullElse(address, other);
    }

    private static String instance(Path folder) {
        Path file = folder.resolve("instance");
        if (!Files.exists(file)) {
            SmallFile.write(file, UUID.randomUUID().toString());
        }
        return SmallFile.read(file).orElseThrow();
    }

    private static Path spurHome() {
        String set = System.getenv("SPUR_HOME");
        return set == null || set.isBlank() ? Path.of(System.getProperty("user.home"), ".spur") : Path.of(set);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String version() {
        return Objects.requireNonNullElse(AgentCommand.class.getPackage().getImplementationVersion(), "unknown");
    }

    private ParameterException rejection(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void printLine(String line) {
        var out = spec.commandLine().getOut();
        synchronized (out) {
            out.printf("%tT %s%n", System.currentTimeMillis(), line);
            out.flush();
        }
    }
}
