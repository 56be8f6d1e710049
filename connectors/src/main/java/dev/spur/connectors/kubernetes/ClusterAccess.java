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

/** Creates clients for a cluster. */
public final class ClusterAccess {
    /** Selects the service account of the pod in which Spur runs. */
    public static final String IN_CLUSTER = "in-cluster";

    private ClusterAccess() {}

    /**
     * Creates a client without calling the cluster.
     *
     * @param config {@link #IN_CLUSTER}, or the path of a kubeconfig file
     * @param context context in that file; empty for the current context
     * @param timeout time limit of a call, from the request to the end of the response
     * @throws IllegalArgumentException if the file is missing or invalid
     */
    public static KubernetesClient open(String config, String context, Duration timeout) {
        int millis = (int) timeout.toMillis();
        Config access = new ConfigBuilder(read(config, context))
                .withRequestTimeout(millis)
                .withConnectionTimeout(millis)
                // each sync reads again, and a change that succeeded without a response must not be repeated
                .withRequestRetryBackoffLimit(0)
                // with HTTP/2 the API server closes the connection of an expired token, and its answer 401 is not seen
                .withHttp2Disable(true)
                .build();
        return new KubernetesClientBuilder()
                .withConfig(access)
                .withHttpClientFactory(new OneOrigin())
                .withHttpClientBuilderConsumer(
                        http -> http.addOrReplaceInterceptor("bounded-answers", new BoundedResponses(timeout)))
                .build();
    }

    /** HTTP client factory without redirects, because the client would send its token to another origin. */
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
            throw new IllegalArgumentException("config (%s) must be a readable file".formatted(config));
        }
        try {
            return context.isBlank()
                    ? Config.fromKubeconfig(file.toFile())
                    : Config.fromKubeconfig(context, file.toFile());
        } catch (KubernetesClientException wrong) {
            throw new IllegalArgumentException("config (%s) is not a valid kubeconfig file".formatted(config), wrong);
        }
    }
}
