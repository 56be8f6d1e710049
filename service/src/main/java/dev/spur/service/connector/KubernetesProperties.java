package dev.spur.service.connector;

import dev.spur.connectors.kubernetes.ClusterAccess;
import dev.spur.connectors.kubernetes.KubernetesPlatform;
import dev.spur.connectors.kubernetes.KubernetesSettings;
import java.time.Clock;
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
 * @param tenant of jobs that do not name one
 * @param callSeconds how long a call may take
 * @param stopSeconds how long the pods of a job may take to end; longer than their grace period
 * @param startSeconds how long the pods of a job may take to be made and bound
 * @param restartSeconds what a restart of a job costs it
 * @param limitHours how long jobs without a deadline are taken to run
 */
@ConfigurationProperties("spur.connectors.kubernetes")
record KubernetesProperties(
        @DefaultValue("") String config,
        @DefaultValue("") String context,
        @DefaultValue("kubernetes") String name,
        @DefaultValue("spur.dev/pool") String poolLabel,
        @DefaultValue("root") String tenant,
        @DefaultValue("20") double callSeconds,
        @DefaultValue("120") double stopSeconds,
        @DefaultValue("300") double startSeconds,
        @DefaultValue("60") double restartSeconds,
        @DefaultValue("24") double limitHours)
        implements PlatformKind {

    @Override
    public String kind() {
        return "KUBERNETES";
    }

    @Override
    public String prefix() {
        return "spur.connectors.kubernetes";
    }

    @Override
    public List<PlatformConnection> connections() {
        if (config.isBlank()) {
            return List.of();
        }
        KubernetesSettings settings = new KubernetesSettings(
                poolLabel,
                ConnectorProperties.seconds(callSeconds),
                ConnectorProperties.seconds(stopSeconds),
                ConnectorProperties.seconds(startSeconds));
        KubernetesPlatform platform = new KubernetesPlatform(
                ClusterAccess.open(config, context, settings.timeout()), settings, Clock.systemUTC());
        return List.of(new PlatformConnection(
                name, kind(), platform, new JobTranslator(name, tenant, limitHours * 3600, restartSeconds)));
    }
}
