package dev.spur.connectors.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** How Spur comes to speak to a cluster. */
public final class ClusterAccess {
    /** Says that the account of the pod is used in which Spur runs. */
    public static final String IN_CLUSTER = "in-cluster";

    private ClusterAccess() {}

    /**
     * A client; nothing is called yet.
     *
     * @param config {@link #IN_CLUSTER}, or path of a kubeconfig
     * @param context the context in that file; empty for the current one
     * @param timeout how long a call may take, from the request to the end of the answer
     * @throws IllegalArgumentException if there is no such file, or none of that kind
     */
    public static KubernetesClient open(String config, String context, Duration timeout) {
        int millis = (int) timeout.toMillis();
        Config access = new ConfigBuilder(read(config, context))
                .withRequestTimeout(millis)
                .withConnectionTimeout(millis)
                // each look asks again, and a change that came through though its answer did not must not be made twice
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(access)
                .withHttpClientFactory(new OneOrigin())
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor("bounded-answers", new BoundedResponses(timeout)))
                .build();
    }

    /** Follows no redirect: the client would send its token to the other origin. */
    private static final class OneOrigin extends JdkHttpClientFactory {
        @Override
        protected void additionalConfig(HttpClient.Builder http) {
            http.followRedirects(HttpClient.Redirect.NEVER);
        }
    }

    private static Config read(String config, String context) {
        if (config.equals(IN_CLUSTER)) {
            return Config.autoConfigure(null);
        }
        Path file = Path.of(config);
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("config (%s) is no file that can be read".formatted(config));
        }
        try {
            return context.isBlank()
                    ? Config.fromKubeconfig(file.toFile())
                    : Config.fromKubeconfig(context, file.toFile());
        } catch (KubernetesClientException wrong) {
            throw new IllegalArgumentException("config (%s) is no kubeconfig".formatted(config), wrong);
        }
    }
}
