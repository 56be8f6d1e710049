package dev.spur.service.contract;

import dev.spur.model.json.RoundJson;
import dev.spur.service.security.PrincipalResolver;
import dev.spur.service.security.ResourceAuthorizer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import tools.jackson.databind.json.JsonMapper;

/** Installs the contract checks between the web server and the controllers. */
@Configuration(proxyBeanMethods = false)
class ContractConfiguration {

    @Bean
    Contract contract() {
        return Contract.load();
    }

    /** Responses use the JSON mapper of the model, so that a round snapshot has the same form everywhere. */
    @Bean
    JsonMapper jsonMapper() {
        return RoundJson.mapper();
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

            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new RequestResolver());
            }
        };
    }

    private static final class RequestResolver implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == ContractRequest.class;
        }

        @Override
        public Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer container,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders) {
            return Objects.requireNonNull(
                    request.getAttribute(ContractRequest.ATTRIBUTE, NativeWebRequest.SCOPE_REQUEST),
                    "the request was not validated against the contract");
        }
    }
}
