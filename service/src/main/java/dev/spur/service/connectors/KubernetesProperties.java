package dev.spur.service.connectors;

import dev.spur.connectors.kubernetes.ClusterAccess;
import dev.spur.connectors.kubernetes.KubernetesPlatform;
import dev.spur.connectors.kubernetes.KubernetesSettings;
import dev.spur.model.Seconds;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A Kubernetes cluster.
 *
 * @param config {@code in-cluster}, or path of a kubeconfig; empty for no Kubernetes
 * @param context the context in that file; empty for the current one
 * @param name name of its connector
 * @param poolLabel label of nodes whose value is their pool
 * @param rackLabel label of nodes whose value is their rack
 * @param blockLabel label of nodes whose value is their block of racks
 * @param tenant tenant of jobs that do not state one
 * @param callTimeout time limit of a call
 * @param stopTimeout time limit of the pods of a job to end; longer than their grace period
 * @param startTimeout time limit of the pods of a job to be created and bound
 * @param lostAfter time without reports of the kubelet of a node after which its jobs are planned elsewhere
 * @param restartCost time that a restart costs a job
 * @param assumedDuration assumed run time of jobs without a deadline
 */
@ConfigurationProperties("spur.connectors.kubernetes")
record KubernetesProperties(
        @DefaultValue("") String config,
        @DefaultValue("") String context,
        @DefaultValue("kubernetes") String name,
        @DefaultValue("spur.dev/pool") String poolLabel,
        @DefaultValue("topology.kubernetes.io/rack") String rackLabel,
        @DefaultValue("topology.kubernetes.io/block") String blockLabel,
        @DefaultValue("root") String tenant,
        @DefaultValue("20s") Duration callTimeout,
        @DefaultValue("2m") Duration stopTimeout,
        @DefaultValue("5m") Duration startTimeout,
        @DefaultValue("5m") Duration lostAfter,
        @DefaultValue("60s") Duration restartCost,
        @DefaultValue("24h") Duration assumedDuration)
        implements PlatformKind {

    @Override
    public String kind() {
        return "KUBERNETES";
    }

    @Override
    public List<PlatformConnection> connections() {
        if (config.isBlank()) {
            return List.of();
        }
        KubernetesSettings settings = new KubernetesSettings(
                poolLabel, rackLabel, blockLabel, callTimeout, stopTimeout, startTimeout, lostAfter);
        KubernetesPlatform platform = new KubernetesPlatform(
                ClusterAccess.open(config, context, settings.timeout()), settings, Clock.systemUTC());
        return List.of(new PlatformConnection(
                name,
                kind(),
                platform,
                new JobTranslator(name, tenant, Seconds.of(assumedDuration), Seconds.of(restartCost))));
    }
}
