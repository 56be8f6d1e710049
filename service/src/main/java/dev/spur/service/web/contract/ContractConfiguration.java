package dev.spur.service.web.contract;

import dev.spur.service.security.PrincipalResolver;
import dev.spur.service.security.ResourceAuthorizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import tools.jackson.databind.json.JsonMapper;

/** Installs the contract checks between the web server and the controllers. */
@Configuration(proxyBeanMethods = false)
class ContractConfiguration {

    @Bean
    Contract contract() {
        return Contract.load();
    }

    @Bean
    JsonMapper jsonMapper() {
        return ApiJson.mapper();
    }

    @Bean
    WebMvcConfigurer contractConfigurer(
            ObjectProvider<Contract> contract,
            ObjectProvider<PrincipalResolver> principals,
            ObjectProvider<ResourceAuthorizer> owners,
            BodyProperties bodies) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new ContractInterceptor(
                                contract.getObject(), principals.getObject(), owners.getObject(), bodies.deadline()))
                        .addPathPatterns("/api/**", "/compat/**", "/keyed/**", "/problems/**");
            }

            /** Errors of static files become problems as well, and are not logged one by one. */
            @Override
            public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
                for (HandlerExceptionResolver resolver : resolvers) {
                    if (resolver instanceof ExceptionHandlerExceptionResolver problems) {
                        problems.setMappedHandlerPredicate(handler -> true);
                    }
                }
            }

            /** A text is a list of one item, even if it contains a comma. */
            @Override
            public void addFormatters(FormatterRegistry registry) {
                registry.addConverter(String.class, List.class, text -> text.isEmpty() ? List.of() : List.of(text));
            }
        };
    }

    /** Lets {@link CheckedArguments} go before the resolvers of Spring MVC, which would read the body a second time. */
    @Bean
    WebMvcRegistrations checkedArguments() {
        return new WebMvcRegistrations() {
            @Override
            public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
                return new RequestMappingHandlerAdapter() {
                    @Override
                    public void afterPropertiesSet() {
                        super.afterPropertiesSet();
                        List<HandlerMethodArgumentResolver> resolvers = new ArrayList<>();
                        resolvers.add(new CheckedArguments());
                        resolvers.addAll(Objects.requireNonNull(getArgumentResolvers()));
                        setArgumentResolvers(resolvers);
                    }
                };
            }
        };
    }

    /**
     * Settings of request bodies; the contract defines their size limits.
     *
     * @param deadline time within which a whole body must arrive
     */
    @ConfigurationProperties("spur.bodies")
    record BodyProperties(@DefaultValue("30s") Duration deadline) {
        BodyProperties {
            if (deadline.compareTo(Duration.ofSeconds(1)) < 0 || deadline.compareTo(Duration.ofHours(1)) > 0) {
                throw new IllegalArgumentException(
                        "spur.bodies.deadline (%s) must be between 1s and 1h".formatted(deadline));
            }
        }
    }
}
